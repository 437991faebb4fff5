import { EXIT } from './exit-codes.ts';
import { entry } from './entry.ts';

/** Errors that any command can report. */
export const generalErrors = {
  USAGE: entry(
    EXIT.usage,
    { message: "unknown option '--nam'. Did you mean --name?", help: 'kubexm lab up --help' },
    (p) => ({
      title: 'Invalid command line',
      message: p.message,
      hint: p.help,
    }),
  ),
  INTERNAL: entry(EXIT.internal, { message: 'Cannot read properties of undefined' }, (p) => ({
    title: 'Internal error in kubexm',
    message: p.message,
    hint: 'This is a bug: report it with the command you ran and the stack trace that --verbose prints.',
  })),
  INTERRUPTED: entry(EXIT.interrupted, {}, () => ({
    title: 'Interrupted',
    message: 'The command was interrupted.',
    hint: 'Repeat the command: completed steps are not repeated.',
  })),
  STATE_FOLDER_FOREIGN: entry(EXIT.refused, { path: '/tmp/work/.kubexm', uid: 1001 }, (p) => ({
    title: `${p.path} belongs to another user`,
    message: `The user with UID ${p.uid} owns this directory and could read the private keys of the cluster. Nothing was written.`,
    hint: 'Use a working directory that only you can write to: kubexm create cluster -f FILE --workdir ~/clusters',
  })),
  PROGRAM_MISSING: entry(EXIT.command, { program: 'podman' }, (p) => ({
    title: `Could not start ${p.program}`,
    message: `${p.program} is not installed on this machine or is not executable.`,
    hint: `Install it, then check: command -v ${p.program}`,
  })),
  COMMAND_FAILED: entry<{ command: string; exit: number; output: string; host?: string }>(
    EXIT.command,
    { command: 'podman network create kubexm-demo', exit: 125, output: 'Error: subnet is already used' },
    (p) => ({
      title: `A command failed on ${p.host ?? 'this machine'}`,
      message: `\`${p.command}\` exited with ${p.exit}.\n${lastLines(p.output, 8)}`.trimEnd(),
      hint: `Run it manually${p.host === undefined ? '' : ` on ${p.host}`}: ${p.command}`,
    }),
  ),
};

const lastLines = (text: string, count: number) => text.trimEnd().split('\n').slice(-count).join('\n');
