/**
 * Converts "30s", "1m30s", "500ms" or a number of seconds to milliseconds. Returns undefined if it is not a positive
 * duration.
 */
export function parseDuration(value: string | number): number | undefined {
  if (typeof value === 'number') return value > 0 && Number.isFinite(value) ? value * 1000 : undefined;
  if (!/^(\d+(ms|s|m|h|d))+$/.test(value)) return undefined;
  const total = [...value.matchAll(/(\d+)(ms|s|m|h|d)/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * UNIT[unit!]!,
    0,
  );
  return total > 0 ? total : undefined;
}

/** Formats a duration with the largest unit that divides it: 120000 becomes "2m". */
export function formatDuration(ms: number): string {
  const [unit, size] = Object.entries(UNIT).findLast(([, each]) => ms % each === 0) ?? ['ms', 1];
  return `${ms / size}${unit}`;
}

const UNIT: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Accepts hourly, daily, weekly, "every 30m", or five cron fields. */
export function isSchedule(text: string): boolean {
  if (['hourly', 'daily', 'weekly'].includes(text)) return true;
  const [, every] = /^every (\S+)$/.exec(text) ?? [];
  if (every !== undefined) return parseDuration(every) !== undefined;
  const fields = text.trim().split(/\s+/);
  return fields.length === 5 && fields.every((field, index) => isCronField(field, CRON_LIMITS[index]!));
}

/** The lowest and highest values of minute, hour, day, month and weekday. */
const CRON_LIMITS: readonly (readonly [number, number])[] = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
];

function isCronField(field: string, [low, high]: readonly [number, number]): boolean {
  const within = (digits: string) => Number(digits) >= low && Number(digits) <= high;
  return field.split(',').every((part) => {
    const [, from, to, step] = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part) ?? [undefined, 'none'];
    return [from, to].every((value) => value === undefined || within(value)) && step !== '0';
  });
}

/** Accepts time zone database names. They are case-sensitive, because hosts look them up as file names. */
export function isTimeZone(name: string): boolean {
  const known = timeZones();
  if (known.includes(name)) return true;
  const lower = name.toLowerCase();
  if (known.some((zone) => zone.toLowerCase() === lower) || !/^[A-Z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

export const timeZones = (): readonly string[] => ['UTC', ...Intl.supportedValuesOf('timeZone')];
