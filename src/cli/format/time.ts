/**
 * Formats a duration, such as "4 s", "2 min 5 s" or "1 h 10 min". Uses whole seconds, so that redrawn lines do not
 * flicker.
 */
export const duration = (ms: number): string => {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};

/** Formats the duration of completed work. Short durations have one decimal place: "1.2 s". */
export const elapsed = (ms: number): string => (ms < 9950 ? `${(ms / 1000).toFixed(1)} s` : duration(ms));

/** Formats a date in local time, such as "2026-11-17 10:14:02". */
export const localTime = (date: Date | undefined): string => {
  if (!date) return '-';
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${[two(date.getHours()), two(date.getMinutes()), two(date.getSeconds())].join(':')}`;
};

/** Formats an age like kubectl, such as "32d", "5h", "12m" or "40s". Returns an empty string if the age is unknown. */
export function age(since: Date | undefined, now = Date.now()): string {
  if (!since) return '';
  const seconds = Math.max(0, Math.floor((now - since.getTime()) / 1000));
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 2 * HOUR) return `${Math.floor(seconds / 60)}m`;
  return seconds < 2 * DAY ? `${Math.floor(seconds / HOUR)}h` : `${Math.floor(seconds / DAY)}d`;
}

const HOUR = 3600;
const DAY = 24 * HOUR;
