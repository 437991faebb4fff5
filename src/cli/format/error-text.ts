import type pc from 'picocolors';
import type { KubexmError } from '../../common/errors/errors.ts';
import { masked } from '../../common/secret.ts';

/** What happened, why, what to paste next, and the code to search for. */
export function errorText(error: KubexmError, color: ReturnType<typeof pc.createColors>, verbose: boolean): string {
  const { title, message, hint } = error.report;
  const columns = process.stderr.columns ?? Infinity;
  const lines = [
    `${color.red('x')} ${color.bold(title)}`,
    '',
    ...message.split('\n').map((line) => wrap(`  ${line}`, columns)),
    '',
    `  ${color.dim('Try ')}   ${hint}`,
    `  ${color.dim('Code')}   ${error.code}`,
  ];
  if (verbose) lines.push('', ...reasonOf(error).map((line) => `  ${color.dim(line)}`));
  return lines.join('\n');
}

/** The same for a program to read. */
export const errorRecord = ({ code, exit, report }: KubexmError) => ({ level: 'error', code, exit, ...report });

/**
 * Breaks a line between words; what follows stands a little to the right. Hints are never broken: they are pasted.
 * Secrets go first: one that is broken in two is not found any more.
 */
export function wrap(text: string, columns: number): string {
  const line = masked(text);
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

/** For a defect the stack trace; for anything else what the system said. */
function reasonOf({ code, cause }: KubexmError): readonly string[] {
  if (!(cause instanceof Error)) return [];
  return code === 'INTERNAL' ? String(cause.stack).split('\n') : [`Because: ${cause.message}`];
}
