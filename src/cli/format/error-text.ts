import type pc from 'picocolors';
import type { KubexmError } from '../../common/errors/errors.ts';
import { sanitize } from '../../common/sanitize.ts';

/** What failed, why, what to run next, and the error code. */
export function errorText(error: KubexmError, color: ReturnType<typeof pc.createColors>, verbose: boolean): string {
  const { title, message, hint } = error.report;
  const columns = process.stderr.columns ?? Infinity;
  const lines = [
    `${color.red('x')} ${color.bold(sanitize(title))}`,
    '',
    ...message.split('\n').map((line) => wrap(`  ${line}`, columns)),
    '',
    `  ${color.dim('Try ')}   ${sanitize(hint)}`,
    `  ${color.dim('Code')}   ${error.code}`,
  ];
  if (verbose) lines.push('', ...causeLines(error).map((line) => `  ${color.dim(sanitize(line))}`));
  return lines.join('\n');
}

/** The error as a JSON record. */
export const errorRecord = ({ code, exit, report }: KubexmError) => ({ level: 'error', code, exit, ...report });

/**
 * Wraps a line between words and indents the rest. Hints are not wrapped, because they are copied.
 * Sanitizes first: a wrapped secret would no longer be recognized.
 */
export function wrap(text: string, columns: number): string {
  const line = sanitize(text);
  if (line.length < columns) return line;
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(/(?<=\S) /)) {
    if (current && current.length + 1 + word.length >= columns) {
      lines.push(current);
      current = `      ${word}`;
    } else {
      current = current ? `${current} ${word}` : word;
    }
  }
  return [...lines, current].join('\n');
}

/** The stack trace of an internal error; for all others the message of the cause. */
function causeLines({ code, cause }: KubexmError): readonly string[] {
  if (!(cause instanceof Error)) return [];
  return code === 'INTERNAL' ? String(cause.stack).split('\n') : [`Caused by: ${cause.message}`];
}
