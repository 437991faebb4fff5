/** Reads names as the kernel and fstab write them: a space is \040. */
export const unescapeOctal = (text: string): string =>
  text.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCodePoint(Number.parseInt(octal, 8)));
