/** Splits comma-separated command line values: "a,b" and "c" give a, b and c. */
export const splitList = (lists: readonly string[]): readonly string[] =>
  lists
    .flatMap((list) => list.split(','))
    .map((word) => word.trim())
    .filter(Boolean);

/** Decodes octal escapes in /proc/mounts and /etc/fstab, such as \040 for a space. */
export const unescapeOctal = (text: string): string =>
  text.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCodePoint(Number.parseInt(octal, 8)));
