import { parse } from 'smol-toml';

/** The string at a key path of a TOML file; undefined if kubexm did not write the file. */
export function managedTomlValue(text: string, ...keys: readonly string[]): string | undefined {
  if (!text.startsWith('# Written by kubexm.\n')) return undefined;
  let value: unknown = parse(text);
  for (const key of keys) value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  return typeof value === 'string' ? value : undefined;
}
