import { stringify } from 'yaml';
import type { Console } from '../console.ts';

/** Prints a value as JSON or YAML. Returns false if `output` is neither. */
export function printStructured(console: Console, output: string, value: unknown): boolean {
  if (output === 'json') console.json(value);
  else if (output === 'yaml') console.print(yamlText(value));
  else return false;
  return true;
}

/** Converts to JSON first, so that dates and undefined are the same in both formats. */
export const yamlText = (value: unknown): string =>
  stringify(JSON.parse(JSON.stringify(value)), { lineWidth: 0, aliasDuplicateObjects: false }).trimEnd();
