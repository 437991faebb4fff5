import { flagOf, type Command, type OptionSpec } from '../command.ts';
import { globalFlags, leadingGlobals } from './global-options.ts';
import { groups } from './groups.ts';

/** Completions for the current word. `files` is true if the shell should complete paths. */
export interface Suggestions {
  readonly words: readonly { readonly word: string; readonly summary: string }[];
  readonly files: boolean;
}

/** Completes the last word in `words`, which may be empty. */
export async function suggest(commands: readonly Command[], words: readonly string[]): Promise<Suggestions> {
  const current = words.at(-1) ?? '';
  const before = leadingGlobals(words.slice(0, -1)).rest;
  if (before.length === 0 && current.startsWith('-')) return matching({ words: GLOBAL_WORDS, files: false }, current);
  const command = commands.find(({ path }) => isPrefix(path.split(' '), before));
  const found = command
    ? await withinCommand(command, before, current)
    : { words: nextWords(commands, before), files: false };
  return matching(found, current);
}

const matching = (found: Suggestions, current: string): Suggestions => ({
  ...found,
  words: found.words.filter(({ word }) => word.startsWith(current)),
});

async function withinCommand(command: Command, before: readonly string[], current: string): Promise<Suggestions> {
  const rest = before.slice(command.path.split(' ').length);
  const previous = rest.at(-1) ?? '';
  const option = optionBefore(command, previous);
  if (option) return valuesOf(option, rest, current);
  const global = globalFlags.find(({ flag }) => flag === previous);
  if (global && 'value' in global) return globalValues(global);
  if (current.startsWith('-')) return { words: flagsOf(command), files: false };
  const argument = command.args?.[Math.min(positionals(command, rest), (command.args?.length ?? 1) - 1)];
  const words = (await argument?.complete?.(rest)) ?? [];
  return { words: words.map((word) => ({ word, summary: '' })), files: false };
}

/** Returns the groups and commands that may follow, with their summaries. */
function nextWords(commands: readonly Command[], before: readonly string[]): Suggestions['words'] {
  const next = commands
    .map(({ path, summary }) => ({ path: path.split(' '), summary }))
    .filter(({ path }) => path.length > before.length && isPrefix(before, path))
    .map(({ path, summary }) => {
      const word = path[before.length]!;
      return [word, path.length === before.length + 1 ? summary : (groups[word] ?? '')] as const;
    });
  return [...new Map(next)].map(([word, summary]) => ({ word, summary }));
}

const isPrefix = (start: readonly string[], all: readonly string[]) =>
  start.length <= all.length && start.every((word, index) => word === all[index]);

const GLOBAL_WORDS: Suggestions['words'] = [
  ...globalFlags.map(({ flag, summary }) => ({ word: flag, summary })),
  { word: '--help', summary: 'show help' },
];

function flagsOf(command: Command): Suggestions['words'] {
  const own = Object.entries(command.options).map(([key, { summary }]) => ({ word: flagOf(key), summary }));
  return [...own, ...GLOBAL_WORDS];
}

/** Returns the option that matches `word`, if it takes a value. */
function optionBefore(command: Command, word: string): OptionSpec | undefined {
  const found = Object.entries(command.options).find(
    ([key, { short }]) => word === flagOf(key) || (short !== undefined && word === `-${short}`),
  );
  return found && found[1].type !== 'flag' ? found[1] : undefined;
}

async function valuesOf(option: OptionSpec, rest: readonly string[], current: string): Promise<Suggestions> {
  if (option.type === 'choice') return { words: option.choices.map((word) => ({ word, summary: '' })), files: false };
  if (option.type === 'list' && option.complete) {
    const items = current.slice(0, current.lastIndexOf(',') + 1);
    const words = await option.complete(rest);
    return { words: words.map((word) => ({ word: items + word, summary: '' })), files: false };
  }
  return { words: [], files: option.type !== 'flag' && /FILE|DIR|PATH/.test(option.value) };
}

const globalValues = (flag: Extract<(typeof globalFlags)[number], { readonly value: string }>): Suggestions =>
  'choices' in flag
    ? { words: flag.choices.map((word) => ({ word, summary: '' })), files: false }
    : { words: [], files: true };

const positionals = (command: Command, words: readonly string[]) =>
  words.filter((word, index) => !word.startsWith('-') && !optionBefore(command, words[index - 1] ?? '')).length;
