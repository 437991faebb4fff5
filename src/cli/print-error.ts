import type { KubexmError } from '../common/errors.ts';
import type { Console } from './console.ts';

/** What happened, why, what to paste next, and the code to search for. */
export function printError(console: Console, error: KubexmError, verbose: boolean): void {
  const { color } = console;
  const { title, message, hint } = error.report;
  const lines = [
    `${color.red('x')} ${color.bold(title)}`,
    '',
    ...message.split('\n').map((line) => `  ${line}`),
    '',
    `  ${color.dim('Try ')}   ${hint}`,
    `  ${color.dim('Code')}   ${error.code}`,
  ];
  if (verbose) lines.push('', ...stackOf(error).map((line) => `  ${color.dim(line)}`));
  console.note(lines.join('\n'));
}

const stackOf = (error: KubexmError) =>
  String(error.cause instanceof Error ? error.cause.stack : error.stack).split('\n');
