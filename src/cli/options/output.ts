import type { OptionSpec } from '../command.ts';

/** Text for people, or JSON for scripts. */
export const textOrJson = {
  type: 'choice',
  short: 'o',
  choices: ['text', 'json'],
  default: 'text',
  summary: 'output format',
} as const satisfies OptionSpec;

/** Output formats for a single object, as in `describe` and `health`. */
export const objectOutput = { ...textOrJson, choices: ['text', 'yaml', 'json'] } as const satisfies OptionSpec;

/** Output formats for a list, as in `get nodes`. */
export const listOutput = { ...textOrJson, choices: ['text', 'wide', 'yaml', 'json'] } as const satisfies OptionSpec;

/** A table for people, or JSON for scripts. */
export const tableOrJson = {
  ...textOrJson,
  choices: ['table', 'json'],
  default: 'table',
} as const satisfies OptionSpec;
