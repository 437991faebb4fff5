/** The keys of one section. A list repeats its key; undefined omits it. */
export type UnitSection = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** The sections of a systemd unit. */
export type UnitFile = Readonly<Record<string, UnitSection>>;

/** The text of a systemd unit file. */
export function systemdUnit(unit: UnitFile): string {
  const sections = Object.entries(unit).map(([name, section]) => {
    const lines = Object.entries(section).flatMap(([key, value]) => {
      const values = value === undefined ? [] : typeof value === 'object' ? value : [value];
      return values.map((one) => `${key}=${one}`);
    });
    return [`[${name}]`, ...lines].join('\n');
  });
  return `# Written by kubexm.\n${sections.join('\n\n')}\n`;
}

/** A command for ExecStart with one flag per line, quoted for systemd. */
export const commandLine = (program: string, flags: Readonly<Record<string, string>>): string =>
  [program, ...Object.entries(flags).map(([name, value]) => quoted(`--${name}=${value}`))].join(' \\\n  ');

/** % and $ are special to systemd even in quotes; a line break would end the command. */
function quoted(text: string): string {
  const escaped = text.replaceAll('%', '%%').replaceAll('$', '$$$$');
  if (/^[^\s"'\\;\p{Cc}]*$/u.test(escaped)) return escaped;
  const inQuotes = escaped.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll(/\p{Cc}/gu, hexEscape);
  return `"${inQuotes}"`;
}

const hexEscape = (character: string) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
