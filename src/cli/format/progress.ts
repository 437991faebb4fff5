import type { Progress, ReportProgress } from '../../common/progress.ts';
import { sanitize } from '../../common/sanitize.ts';

/** Redraws one line on a terminal. Otherwise prints one line per task, or passes the task to `log`. */
export function progressOn(
  stream: NodeJS.WriteStream,
  log?: (task: string) => void,
): { readonly report: ReportProgress; clear(): void } {
  let shown = false;
  let task = '';
  const clear = () => {
    if (shown) stream.write('\r\x1b[K');
    shown = false;
  };
  const report = (progress: Progress) => {
    if (stream.isTTY && !log) {
      stream.write(`\r\x1b[K${progressLine(progress).slice(0, stream.columns - 1)}`);
      shown = true;
    } else if (progress.task !== task) {
      if (log) log(progress.task);
      else stream.write(`${sanitize(progress.task)}\n`);
    }
    task = progress.task;
  };
  return { report, clear };
}

function progressLine({ task, detail, done, total }: Progress): string {
  const count = done !== undefined && total ? ` ${done}/${total} ${bar(done / total, 20)}` : '';
  return sanitize(`${task}${count}${detail ? `  ${detail}` : ''}`).replaceAll('\n', ' ');
}

/** Returns a progress bar such as "████░░░░" for a fraction from 0 to 1. */
export const bar = (fraction: number, width: number): string => {
  const filled = Math.round(Math.min(1, fraction) * width);
  return `${'█'.repeat(filled)}${'░'.repeat(width - filled)}`;
};
