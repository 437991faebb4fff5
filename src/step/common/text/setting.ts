/** The value of a key in KEY=value lines; the last one wins. */
export const settingIn = (text: string, key: string): string | undefined =>
  text
    .split('\n')
    .map((line) => matchOf(line, key))
    .findLast((value) => value !== undefined);

/** Replaces the value of a key, or appends it. */
export function withSetting(text: string, key: string, value: string): string {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  const found = lines.some((line) => matchOf(line, key) !== undefined);
  const changed = lines.map((line) => (matchOf(line, key) === undefined ? line : `${key}=${value}`));
  return `${(found ? changed : [...changed, `${key}=${value}`]).join('\n')}\n`;
}

const matchOf = (line: string, key: string): string | undefined => {
  const [, name, value] = /^\s*(\w+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
  return name === key ? value?.replace(/^(["'])(.*)\1$/, '$2') : undefined;
};
