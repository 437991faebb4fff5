/** "4 s", "2 min 5 s", "1 h 10 min": whole, so that what is redrawn does not flicker. */
export const seconds = (ms: number): string => {
  const whole = Math.round(ms / 1000);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};

/** The same for what is over: short ones with a decimal. */
export const took = (ms: number): string => (ms < 9950 ? `${(ms / 1000).toFixed(1)} s` : seconds(ms));

/** "2026-11-17 10:14:02", in the time of the reader. */
export const localTime = (date: Date | undefined): string => {
  if (!date) return '-';
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${[two(date.getHours()), two(date.getMinutes()), two(date.getSeconds())].join(':')}`;
};
