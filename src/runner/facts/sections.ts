/** Cuts what the script printed at its `== name` lines. What was not printed is empty. */
export function sectionsIn(text: string): (name: string) => string {
  const parts = text.split(/^== (.+)\n/m).slice(1);
  const sections = new Map<string, string>();
  for (let place = 0; place < parts.length; place += 2) sections.set(parts[place] ?? '', parts[place + 1] ?? '');
  return (name) => sections.get(name) ?? '';
}

/** The lines of a section that are not empty, each as its words. */
export const rowsOf = (section: string): readonly (readonly string[])[] =>
  section
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => line.split(/\s+/));
