import { parse } from 'smol-toml';

/** The text that stands at a path of keys in a TOML file that kubexm wrote; undefined in one of somebody else. */
export function managedTomlValue(text: string, ...keys: readonly string[]): string | undefined {
  if (!text.startsWith('# Written by kubexm.\n')) return undefined;
  let value: unknown = parse(text);
  for (const key of keys) value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  return typeof value === 'string' ? value : undefined;
}
