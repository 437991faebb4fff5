import type { OptionSpec } from '../command.ts';
import type { Console } from '../console.ts';

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
  const { yamlText } = await import('./yaml-text.ts');
  console.print(yamlText(value));
  return true;
}
