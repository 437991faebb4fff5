import type { Progress, ReportProgress } from '../../common/progress.ts';

/** On a terminal one line that changes; elsewhere one line for each new task, or what `log` makes of it. */
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
      stream.write(`\r\x1b[K${describe(progress).slice(0, stream.columns - 1)}`);
      shown = true;
    } else if (progress.task !== task) {
      if (log) log(progress.task);
      else stream.write(`${progress.task}\n`);
    }
    task = progress.task;
  };
  return { report, clear };
}

function describe({ task, detail, done, total }: Progress): string {
  const count = done !== undefined && total ? ` ${done}/${total} ${bar(done / total)}` : '';
  return `${task}${count}${detail ? `  ${detail}` : ''}`;
}

const bar = (part: number) => {
  const filled = Math.round(Math.min(1, part) * WIDTH);
  return `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)}`;
};
const WIDTH = 20;
