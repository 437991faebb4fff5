/** What a section of a unit says; a list is a key that stands several times, undefined one that does not stand at all. */
export type UnitSection = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** A unit, section by section. */
export type UnitFile = Readonly<Record<string, UnitSection>>;

/** The text of a unit of systemd. */
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
