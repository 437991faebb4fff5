import type { Console } from '../console.ts';

/** Prints a value as JSON or YAML; resolves with false if `output` is neither. */
export async function printStructured(console: Console, output: string, value: unknown): Promise<boolean> {
  if (output === 'json') {
    console.json(value);
    return true;
  }
  if (output !== 'yaml') return false;
  console.print(await yamlText(value));
  return true;
}

/** Goes through JSON, so that dates and undefined look the same in both formats. */
export async function yamlText(value: unknown): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(JSON.parse(JSON.stringify(value)), { lineWidth: 0, aliasDuplicateObjects: false }).trimEnd();
}
