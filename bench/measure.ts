export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** Duration of an action in milliseconds. */
export async function durationOf(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

/** Median duration of several runs of an action in milliseconds. */
export async function medianDuration(runs: number, action: () => Promise<unknown>): Promise<number> {
  const durations: number[] = [];
  for (let run = 0; run < runs; run++) durations.push(await durationOf(action));
  return median(durations);
}
