/** The line that a unit starts a program with, a flag on each line, in the words of systemd. */
export const commandLine = (program: string, flags: Readonly<Record<string, string>>): string =>
  [program, ...Object.entries(flags).map(([name, value]) => word(`--${name}=${value}`))].join(' \\\n  ');

/** Two signs have a meaning even in quotes. */
function word(text: string): string {
  const plain = text.replaceAll('%', '%%').replaceAll('$', '$$$$');
  return /^[^\s"'\\;]*$/.test(plain) ? plain : `"${plain.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
