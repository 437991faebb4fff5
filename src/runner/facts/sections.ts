/** Splits the output of the facts script at its `== name` lines. A missing section is empty. */
export function sectionsIn(text: string): (name: string) => string {
  const parts = text.split(/^== (.+)\n/m).slice(1);
  const sections = new Map<string, string>();
  for (let index = 0; index < parts.length; index += 2) sections.set(parts[index] ?? '', parts[index + 1] ?? '');
  return (name) => sections.get(name) ?? '';
}

/** Returns the non-empty lines of a section, split into words. */
export const rowsOf = (section: string): readonly (readonly string[])[] =>
  section
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => line.split(/\s+/));
