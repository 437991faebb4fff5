import { EXIT } from './exit-codes.ts';
import { entry } from './entry.ts';

/** Errors that any command can end with. */
export const generalErrors = {
  USAGE: entry(
    EXIT.usage,
    { message: "unknown option '--nam'. Did you mean --name?", help: 'kubexm lab up --help' },
    (p) => ({
      title: 'The command line is not understood',
      message: p.message,
      hint: p.help,
    }),
  ),
  INTERNAL: entry(EXIT.internal, { message: 'Cannot read properties of undefined' }, (p) => ({
    title: 'This is a defect of kubexm',
    message: p.message,
    hint: 'Run again with --verbose for the stack trace, and report it with the command you ran.',
  })),
  INTERRUPTED: entry(EXIT.interrupted, {}, () => ({
    title: 'Stopped',
    message: 'You stopped the run.',
    hint: 'Run the same command again: it goes on from what is there.',
  })),
  PROGRAM_MISSING: entry(EXIT.command, { program: 'podman' }, (p) => ({
    title: `${p.program} cannot be started`,
    message: `The program ${p.program} is not installed on this machine, or may not be run.`,
    hint: `Install it, then look: command -v ${p.program}`,
  })),
  COMMAND_FAILED: entry<{ command: string; exit: number; output: string; host?: string }>(
    EXIT.command,
    { command: 'podman network create kubexm-demo', exit: 125, output: 'Error: subnet is already used' },
    (p) => ({
      title: `A command failed on ${p.host ?? 'this machine'}`,
      message: `\`${p.command}\` exited with ${p.exit}.\n${lastLines(p.output, 8)}`.trimEnd(),
      hint: `Run it by hand${p.host === undefined ? '' : ` on ${p.host}`} to see more: ${p.command}`,
    }),
  ),
};

const lastLines = (text: string, count: number) => text.trimEnd().split('\n').slice(-count).join('\n');
