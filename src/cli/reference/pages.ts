import { catalog } from '../../common/errors/catalog.ts';
import type { Report } from '../../common/errors/errors.ts';
import { EXIT, EXIT_MEANING } from '../../common/errors/exit-codes.ts';
import { clusterJsonSchema } from '../../config/schema/json-schema.ts';
import { rules } from '../../config/rules/rules.ts';
import { checkList } from '../../runtime/run/check-hosts.ts';
import { flagOf, type Command, type OptionSpec } from '../command.ts';
import { globalFlags } from '../program/global-options.ts';
import { fieldRows } from './fields.ts';

/** Every reference page: file name -> text. Made from what the program itself uses, so they cannot disagree with it. */
export const referencePages = (commands: readonly Command[]): Readonly<Record<string, string>> => ({
  'commands.md': commandsPage(commands),
  'cluster-file.md': clusterFilePage(),
  'cluster-rules.md': rulesPage(),
  'checks.md': checksPage(),
  'errors.md': errorsPage(),
});

const MADE = '<!-- Made by `kubexm generate docs`. Change the source instead. -->\n';

function commandsPage(commands: readonly Command[]): string {
  const globals = globalFlags.map((flag) =>
    row([code(['short' in flag && flag.short, flag.flag].filter(Boolean).join(', ')), flag.summary]),
  );
  return [
    MADE,
    '# Commands\n',
    'Every command has `--help`, and these flags:\n',
    ...table(['flag', 'meaning'], globals),
    '',
    ...commands.map(commandSection),
  ].join('\n');
}

function commandSection({ path, args = [], summary, description, options, examples }: Command): string {
  const words = args.map(({ name, optional, rest }) =>
    optional ? `[${name}${rest ? '...' : ''}]` : `${name}${rest ? '...' : ''}`,
  );
  const rows = [
    ...args.map(({ name, summary: about }) => row([code(name), about, ''])),
    ...Object.entries(options).map(optionRow),
  ];
  const listed = rows.length > 0 ? [...table(['argument or flag', 'meaning', 'default'], rows), ''] : [];
  const shown = examples.map(({ command, does }) => `# ${does}\n${command}`).join('\n\n');
  return [
    `## kubexm ${[path, ...words].join(' ')}\n`,
    `${description ?? `${summary}.`}\n`,
    ...listed,
    `\`\`\`sh\n${shown}\n\`\`\`\n`,
  ].join('\n');
}

function optionRow([key, option]: [string, OptionSpec]): string {
  const value = option.type === 'flag' ? '' : ` ${option.type === 'choice' ? option.choices.join('|') : option.value}`;
  const initial = 'default' in option && option.default !== undefined ? code(String(option.default)) : '';
  return row([code(`${option.short ? `-${option.short}, ` : ''}${flagOf(key)}${value}`), option.summary, initial]);
}

function clusterFilePage(): string {
  return [
    MADE,
    '# The cluster file\n',
    'One YAML file describes one cluster. Unknown keys are errors. `kubexm validate cluster -f FILE -o yaml` prints a file with every default.',
    'Rules across fields are on [their own page](cluster-rules.md). A secret is a text, or better a reference: `{env: NAME}`, `{file: path}`, `{exec: command}`.\n',
    ...table(
      ['field', 'form', 'default', 'meaning'],
      fieldRows(clusterJsonSchema()).map(({ path, form, initial, about }) =>
        row([code(path), form, initial && code(initial), about]),
      ),
    ),
    '',
  ].join('\n');
}

function rulesPage(): string {
  const rows = rules.map(({ id, severity, about }) => row([code(id), severity, about]));
  return [
    MADE,
    '# Rules of the cluster file\n',
    'All are checked by `kubexm validate cluster`, and before anything is changed by every command that reads the file.\n',
    ...table(['rule', 'severity', 'what holds'], rows),
    '',
  ].join('\n');
}

function checksPage(): string {
  const rows = checkList.map(({ id, title, about, severities }) =>
    row([code(id), title, severities.join(', '), about]),
  );
  return [
    MADE,
    '# Checks of hosts\n',
    'All are made by `kubexm check hosts`, and by `kubexm create cluster` before anything is changed. Each finding says what was found, what is wanted, and what to paste.',
    'How to use them is told in [the guide](../guide/check-hosts.md).\n',
    ...table(['check', 'title', 'can be', 'what is looked at'], rows),
    '',
  ].join('\n');
}

function errorsPage(): string {
  const exits = Object.entries(EXIT).map(([name, exit]) =>
    row([code(String(exit)), name, EXIT_MEANING.get(exit) ?? '']),
  );
  const sections = Object.entries(catalog).map(([name, entry]) => errorSection(name, entry.exit, entry.sample()));
  return [MADE, '# Errors and exit codes\n', ...table(['exit code', 'kind', 'meaning'], exits), '', ...sections].join(
    '\n',
  );
}

function errorSection(name: string, exit: number, { title, message, hint }: Report): string {
  return [
    `## ${name}\n`,
    `Exit code ${exit}. For example:\n`,
    '```',
    title,
    '',
    ...message.split('\n').map((line) => `  ${line}`),
    '',
    `  Try    ${hint}`,
    '```',
    '',
  ].join('\n');
}

const table = (head: readonly string[], rows: readonly string[]) => [row(head), row(head.map(() => '---')), ...rows];

const row = (cells: readonly string[]) =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
const code = (text: string) => `\`${text}\``;
