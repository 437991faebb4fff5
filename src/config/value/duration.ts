/** "30s", "1m30s", "500ms" or seconds as a number, in milliseconds; undefined when it is none of these. */
export function parseDuration(value: string | number): number | undefined {
  if (typeof value === 'number') return value > 0 && Number.isFinite(value) ? value * 1000 : undefined;
  if (!/^(\d+(ms|s|m|h|d))+$/.test(value)) return undefined;
  const total = [...value.matchAll(/(\d+)(ms|s|m|h|d)/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * UNIT[unit!]!,
    0,
  );
  return total > 0 ? total : undefined;
}

/** The shortest text that means so many milliseconds. */
export function formatDuration(ms: number): string {
  const [unit, size] = Object.entries(UNIT).findLast(([, each]) => ms % each === 0) ?? ['ms', 1];
  return `${ms / size}${unit}`;
}

const UNIT: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
