import type pc from 'picocolors';
import type { RunStatus } from '../../runtime/history/read-run.ts';

/** How a run ended, in its colour. */
export function outcomeText(status: RunStatus, color: ReturnType<typeof pc.createColors>): string {
  switch (status) {
    case 'done':
      return color.green('done');
    case 'running':
      return color.cyan('running');
    case 'failed':
    case 'damaged':
      return color.red(status);
    case 'died':
      return color.red('died (resume)');
    case 'partial':
    case 'interrupted':
      return color.yellow(status);
  }
}
