import type { Command as Commander } from 'commander';
import type { Command } from '../command.ts';
import { commanderGlobals } from './commander-options.ts';

/** Applies the settings that all commands share. The parser throws errors instead of printing them. */
export const configure = (command: Commander): Commander =>
  command
    .exitOverride()
    .configureOutput({ writeErr: () => {}, outputError: () => {} })
    .configureHelp({
      showGlobalOptions: false,
      sortSubcommands: true,
      helpWidth: Math.min(process.stdout.columns ?? 100, 110),
    })
    .helpCommand(false)
    .helpOption('-h, --help', 'show help');

export function addRootHelp(root: Commander): void {
  root.description('Creates and manages Kubernetes clusters on your own machines over SSH, from one YAML file.');
  root.option('--version', 'print the version');
  root.addHelpText(
    'after',
    [
      '\nGlobal options, before or after the command:',
      ...commanderGlobals().map(({ flags, description }) => `  ${flags.padEnd(22)}  ${description}`),
      '\nGet started:',
      '  kubexm create config -f cluster.yaml --host 192.0.2.11',
      '  kubexm validate cluster -f cluster.yaml',
      '  kubexm create cluster -f cluster.yaml',
      "\nRun 'kubexm COMMAND --help' for details of a command.",
    ].join('\n'),
  );
}

export const addExamples = (command: Commander, examples: Command['examples']): Commander =>
  command.addHelpText(
    'after',
    `\nExamples:\n${examples.map(({ command: line, does }) => `  # ${does}\n  ${line}`).join('\n\n')}`,
  );

/** Returns the first example of up to four commands for the help of their group, also in nested groups. */
export function addGroupExamples(group: Commander, commands: readonly Command[]): void {
  if (group.commands.length === 0) return;
  const prefix = `${commandLineOf(group).replace('kubexm ', '')} `;
  const examples = commands
    .filter(({ path }) => path.startsWith(prefix))
    .flatMap(({ examples }) => examples.slice(0, 1));
  addExamples(group, examples.slice(0, 4));
  for (const nested of group.commands) addGroupExamples(nested, commands);
}

/** Returns the full name of a command, such as "kubexm lab up". */
export const commandLineOf = (command: Commander): string =>
  command.parent ? `${commandLineOf(command.parent)} ${command.name()}` : command.name();
