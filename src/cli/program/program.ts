import { Command as Commander, CommanderError, InvalidArgumentError, Option } from 'commander';
import { fail } from '../../common/errors/errors.ts';
import { EXIT } from '../../common/errors/exit-codes.ts';
import { flagOf, type Call, type Command, type GlobalOptions, type OptionSpec } from '../command.ts';
import type { Console } from '../console.ts';
import { globalFlags, leadingGlobals } from './global-options.ts';
import { groups } from './groups.ts';

/** The commands as a program that can be called with argv. */
export function createProgram(
  commands: readonly Command[],
  console: Console,
): { call(argv: readonly string[]): Promise<number> } {
  const root = bare(new Commander('kubexm'));
  root.description('Makes and keeps Kubernetes clusters on your own machines, from one YAML file, over SSH.');
  root.option('--version', 'print the version');
  root.addHelpText(
    'after',
    [
      '\nGlobal options, before or after the command:',
      ...globalOptions().map(({ flags, description }) => `  ${flags.padEnd(28)}  ${description}`),
      '\nStart with   kubexm create config -f cluster.yaml',
      'Then         kubexm validate cluster -f cluster.yaml',
    ].join('\n'),
  );
  let exit = 0;
  for (const command of commands) add(root, command, console, (code) => (exit = code));
  for (const word of root.commands) showExamples(word, commands);
  return {
    async call(argv) {
      const words = orderWords(argv);
      try {
        await root.parseAsync([...words], { from: 'user' });
      } catch (error) {
        if (!(error instanceof CommanderError)) throw error;
        if (error.exitCode === 0) return EXIT.ok;
        // A first word alone, such as `kubexm lab`: its commands are the answer.
        if (error.code === 'commander.help') {
          find(root, words).outputHelp();
          return EXIT.ok;
        }
        throw usage(root, words, error);
      }
      return exit;
    },
  };
}

function add(root: Commander, command: Command, console: Console, end: (code: number) => void): void {
  const words = command.path.split(' ');
  const parent = words.slice(0, -1).reduce(group, root);
  const leaf = bare(parent.command(words.at(-1)!));
  leaf.summary(command.summary).description(command.description ?? command.summary);
  for (const arg of command.args ?? []) {
    const name = arg.rest ? `${arg.name}...` : arg.name;
    leaf.argument(arg.optional ? `[${name}]` : `<${name}>`, arg.summary);
  }
  for (const [key, spec] of Object.entries(command.options)) leaf.addOption(toOption(key, spec));
  for (const option of globalOptions()) leaf.addOption(option);
  leaf.addHelpText('after', `\n${exampleText(command.examples)}`);
  leaf.action(async () => {
    const {
      color = true,
      workdir = '.',
      verbose = false,
      yes = false,
      logFormat = 'text',
      ...given
    } = leaf.opts<Partial<GlobalOptions> & Call['options']>();
    const options = Object.fromEntries(
      Object.entries(command.options).map(([key, spec]) => [key, valueOf(leaf, key, spec, given)]),
    );
    end(
      (await command.run({ args: leaf.args, options, global: { color, workdir, verbose, yes, logFormat }, console })) ??
        EXIT.ok,
    );
  });
}

/** What was given; else what stands for nothing. For the parser --no-x switches an x off that nobody defined. */
function valueOf(leaf: Commander, key: string, { type }: OptionSpec, given: Call['options']): Call['options'][string] {
  const option = leaf.options.find(({ long }) => long === flagOf(key));
  if (type === 'flag') return option?.negate ? given[option.attributeName()] === false : given[key] === true;
  return given[key] ?? (type === 'list' ? [] : undefined);
}

function group(parent: Commander, word: string): Commander {
  const found = parent.commands.find((command) => command.name() === word);
  if (found) return found;
  const about = groups[word] ?? '';
  return bare(parent.command(word)).summary(about).description(about);
}

/** A first word has the examples of its commands, the first of each. */
function showExamples(word: Commander, commands: readonly Command[]): void {
  if (word.commands.length === 0) return;
  const prefix = `${pathOf(word).replace('kubexm ', '')} `;
  const examples = commands.filter(({ path }) => path.startsWith(prefix)).map(({ examples: [first] }) => first);
  word.addHelpText('after', `\n${exampleText(examples.filter((example) => example !== undefined).slice(0, 4))}`);
  for (const below of word.commands) showExamples(below, commands);
}

const exampleText = (examples: Command['examples']) =>
  `Examples:\n${examples.map(({ command, does }) => `  # ${does}\n  ${command}`).join('\n\n')}`;

/** Flags of all commands may stand first; `help lab up` is `lab up --help`. */
function orderWords(argv: readonly string[]): readonly string[] {
  const { flags, rest } = leadingGlobals(argv);
  if (rest.length === 0) return rest.length === argv.length ? ['--help'] : [...flags, '--help'];
  if (rest[0] === '--version') return ['version'];
  if (rest[0] === 'help') return [...rest.slice(1), '--help'];
  const end = rest.includes('--') ? rest.indexOf('--') : rest.length;
  return [...rest.slice(0, end), ...flags, ...rest.slice(end)];
}

/** Long help is for people: it goes to stdout; errors are thrown, so that one place prints them all. */
const bare = (command: Commander) =>
  command
    .exitOverride()
    .configureOutput({ writeErr: () => {}, outputError: () => {} })
    .configureHelp({
      showGlobalOptions: false,
      sortSubcommands: true,
      helpWidth: Math.min(process.stdout.columns ?? 100, 110),
    })
    .helpCommand(false)
    .helpOption('-h, --help', 'show this help');

function toOption(key: string, spec: OptionSpec): Option {
  const flags = [spec.short && `-${spec.short}`, flagOf(key)].filter(Boolean).join(', ');
  switch (spec.type) {
    case 'flag':
      return new Option(flags, spec.summary);
    case 'text':
      return new Option(`${flags} <${spec.value}>`, spec.summary)
        .default(spec.default)
        .makeOptionMandatory(spec.required ?? false);
    case 'number':
      return new Option(`${flags} <${spec.value}>`, spec.summary)
        .default(spec.default)
        .argParser((text) => toNumber(text, spec));
    case 'choice':
      return new Option(`${flags} <value>`, spec.summary).default(spec.default).choices(spec.choices);
    case 'list':
      return new Option(`${flags} <${spec.value}>`, spec.summary).argParser(
        (text, all: readonly string[] | undefined) => [...(all ?? []), text],
      );
  }
}

function toNumber(
  text: string,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: { readonly min?: number; readonly max?: number },
): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new InvalidArgumentError(
    max === Number.MAX_SAFE_INTEGER
      ? `a whole number from ${min} is wanted.`
      : `a whole number from ${min} to ${max} is wanted.`,
  );
}

const globalOptions = () =>
  globalFlags.map((flag) => {
    const names = [...('short' in flag ? [flag.short] : []), flag.flag].join(', ');
    const option = new Option('value' in flag ? `${names} <${flag.value}>` : names, flag.summary).helpGroup(
      'Global options:',
    );
    if ('choices' in flag) option.choices(flag.choices);
    if ('default' in flag) option.default(flag.default);
    return option;
  });

function usage(root: Commander, words: readonly string[], error: CommanderError) {
  const message = error.message.replace(/^error: /, '').replace(/\n?\(Did you mean (.*)\?\)/, '. Did you mean $1?');
  return fail('USAGE', { message, help: `${pathOf(find(root, words))} --help` });
}

/** The command that the first words lead to. */
const find = (root: Commander, words: readonly string[]) =>
  words.reduce((at: Commander, word) => at.commands.find((command) => command.name() === word) ?? at, root);

const pathOf = (command: Commander): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
