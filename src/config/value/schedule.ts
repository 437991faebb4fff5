import { parseDuration } from './duration.ts';

/** A word, "every 30m", or the five fields of cron. */
export function isSchedule(text: string): boolean {
  if (['hourly', 'daily', 'weekly'].includes(text)) return true;
  const [, every] = /^every (\S+)$/.exec(text) ?? [];
  if (every !== undefined) return parseDuration(every) !== undefined;
  const fields = text.trim().split(/\s+/);
  return fields.length === 5 && fields.every((field, index) => isCronField(field, LIMITS[index]!));
}

/** Lowest and highest value of minute, hour, day, month, weekday. */
const LIMITS: readonly (readonly [number, number])[] = [
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
