import type pc from 'picocolors';
import type { KubexmError } from '../common/errors.ts';

/** What happened, why, what to paste next, and the code to search for. */
export function errorText(error: KubexmError, color: ReturnType<typeof pc.createColors>, verbose: boolean): string {
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
  return lines.join('\n');
}

/** The same for a program to read. */
export const errorRecord = ({ code, exit, report }: KubexmError) => ({ level: 'error', code, exit, ...report });

const stackOf = (error: KubexmError) =>
  String(error.cause instanceof Error ? error.cause.stack : error.stack).split('\n');
