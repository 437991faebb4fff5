import type { OptionSpec } from './command.ts';
import type { Console } from './console.ts';

/** How a list is printed. */
export const listOutput = {
  type: 'choice',
  short: 'o',
  choices: ['text', 'wide', 'yaml', 'json'],
  default: 'text',
  summary: 'how to print it',
} as const satisfies OptionSpec;

/** How one thing is printed. */
export const thingOutput = { ...listOutput, choices: ['text', 'yaml', 'json'] } as const satisfies OptionSpec;

/** For a script, in the form that it asked for; false when it is a person who asks. */
export async function printedAs(console: Console, output: string, value: unknown): Promise<boolean> {
  if (output === 'json') {
    console.json(value);
    return true;
  }
  if (output !== 'yaml') return false;
  const { stringify } = await import('yaml');
  // Through JSON: dates and what is not there look the same in both.
  console.print(stringify(JSON.parse(JSON.stringify(value)), { lineWidth: 0, aliasDuplicateObjects: false }).trimEnd());
  return true;
}
