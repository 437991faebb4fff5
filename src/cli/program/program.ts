import { Command as Commander, CommanderError } from 'commander';
import { fail } from '../../common/errors/errors.ts';
import { EXIT } from '../../common/errors/exit-codes.ts';
import { fullDescription, type Call, type Command, type GlobalOptions } from '../command.ts';
import type { Console } from '../console.ts';
import { commanderGlobals, commanderOption, optionValue } from './commander-options.ts';
import { leadingGlobals } from './global-options.ts';
import { groups } from './groups.ts';
import { addExamples, addGroupExamples, addRootHelp, commandLineOf, configure } from './help.ts';

/** Creates a parser for all commands. `call` runs the command that argv selects and returns the exit code. */
export function createProgram(
  commands: readonly Command[],
  console: Console,
): { call(argv: readonly string[]): Promise<number> } {
  const root = configure(new Commander('kubexm'));
  addRootHelp(root);
  let exit: number = EXIT.ok;
  for (const command of commands) addCommand(root, command, console, (code) => (exit = code));
  for (const group of root.commands) addGroupExamples(group, commands);
  return {
    async call(argv) {
      const words = normalizeArgv(argv);
      try {
        await root.parseAsync([...words], { from: 'user' });
      } catch (error) {
        if (!(error instanceof CommanderError)) throw error;
        if (error.exitCode === 0) return EXIT.ok;
        // A group without a command, such as `kubexm lab`, prints the help of the group.
        if (error.code === 'commander.help') {
          findCommand(root, words).outputHelp();
          return EXIT.ok;
        }
        throw usageError(root, words, error);
      }
      return exit;
    },
  };
}

function addCommand(root: Commander, command: Command, console: Console, setExit: (code: number) => void): void {
  const words = command.path.split(' ');
  const parent = words.slice(0, -1).reduce(groupOf, root);
  const leaf = configure(parent.command(words.at(-1)!));
  leaf.summary(command.summary).description(fullDescription(command));
  for (const arg of command.args ?? []) {
    const name = arg.rest ? `${arg.name}...` : arg.name;
    leaf.argument(arg.optional ? `[${name}]` : `<${name}>`, arg.summary);
  }
  for (const [key, spec] of Object.entries(command.options)) leaf.addOption(commanderOption(key, spec));
  for (const option of commanderGlobals()) leaf.addOption(option);
  addExamples(leaf, command.examples);
  leaf.action(async () => setExit((await command.run({ ...parsedCall(leaf, command), console })) ?? EXIT.ok));
}

function parsedCall(leaf: Commander, command: Command): Omit<Call, 'console'> {
  const {
    color = true,
    workdir = '.',
    verbose = false,
    yes = false,
    logFormat = 'text',
    ...given
  } = leaf.opts<Partial<GlobalOptions> & Call['options']>();
  const options = Object.fromEntries(
    Object.entries(command.options).map(([key, spec]) => [key, optionValue(leaf, key, spec, given)]),
  );
  return { args: leaf.args, options, global: { color, workdir, verbose, yes, logFormat } };
}

function groupOf(parent: Commander, word: string): Commander {
  const existing = parent.commands.find((command) => command.name() === word);
  if (existing) return existing;
  const summary = groups[word] ?? '';
  return configure(parent.command(word)).summary(summary).description(summary);
}

/** Moves leading global flags after the command, and converts `help lab up` to `lab up --help`. */
function normalizeArgv(argv: readonly string[]): readonly string[] {
  const { flags, rest } = leadingGlobals(argv);
  if (rest.length === 0) return rest.length === argv.length ? ['--help'] : [...flags, '--help'];
  if (rest[0] === '--version') return ['version'];
  if (rest[0] === 'help') return [...rest.slice(1), '--help'];
  const end = rest.includes('--') ? rest.indexOf('--') : rest.length;
  return [...rest.slice(0, end), ...flags, ...rest.slice(end)];
}

function usageError(root: Commander, words: readonly string[], error: CommanderError) {
  const message = error.message.replace(/^error: /, '').replace(/\n?\(Did you mean (.*)\?\)/, '. Did you mean $1?');
  return fail('USAGE', { message, help: `${commandLineOf(findCommand(root, words))} --help` });
}

/** Returns the innermost command that the leading words select. */
const findCommand = (root: Commander, words: readonly string[]) =>
  words.reduce((at: Commander, word) => at.commands.find((command) => command.name() === word) ?? at, root);
