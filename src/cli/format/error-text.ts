import type pc from 'picocolors';
import type { KubexmError } from '../../common/errors/errors.ts';
import { sanitize } from '../../common/sanitize.ts';

/** Formats an error: what failed, why, what to run next, and the error code. */
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

/** Returns the error as a JSON record. */
export const errorRecord = ({ code, exit, report }: KubexmError) => ({ level: 'error', code, exit, ...report });

/**
 * Wraps a line between words and indents the following lines. Sanitizes the text first, because a wrapped secret would
 * not be recognized. Hints must not be wrapped, because users copy them.
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

/** Returns the stack trace of an internal error, or the message of the cause of any other error. */
function causeLines({ code, cause }: KubexmError): readonly string[] {
  if (!(cause instanceof Error)) return [];
  return code === 'INTERNAL' ? String(cause.stack).split('\n') : [`Caused by: ${cause.message}`];
}
