/** "32d", "5h", "12m", "40s", as kubectl tells it; empty when it is not known. */
export function age(since: Date | undefined, now = Date.now()): string {
  if (!since) return '';
  const seconds = Math.max(0, Math.floor((now - since.getTime()) / 1000));
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 2 * HOUR) return `${Math.floor(seconds / 60)}m`;
  return seconds < 2 * DAY ? `${Math.floor(seconds / HOUR)}h` : `${Math.floor(seconds / DAY)}d`;
}

const HOUR = 3600;
const DAY = 24 * HOUR;
