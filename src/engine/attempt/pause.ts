import type { PlanNode } from '../../plan/graph.ts';
import type { Execution } from '../execution.ts';

/**
 * Reports the error and waits before a step is retried. Returns false if the user interrupts the run in the meantime.
 */
export async function pauseAfter(
  { run: { report, info: run, stop, pause } }: Execution,
  node: PlanNode,
  started: number,
  wait: number,
  error: unknown,
): Promise<boolean> {
  if (stop.soft.aborted) return false;
  const at = Date.now();
  report({ type: 'retried', run, node, at, durationMs: at - started, error });
  await pause(wait, stop.soft).catch(() => {});
  return !stop.soft.aborted;
}

export const FIRST_PAUSE = 1000;

export const nextPause = (wait: number): number => Math.min(wait * 2, LONGEST_PAUSE);

const LONGEST_PAUSE = 30_000;
