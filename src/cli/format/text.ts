/** "1 step", "3 steps" */
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** All names, or the first ones: "node1, node2 and 7 more". */
export const shortList = (names: readonly string[], max = 6): string =>
  names.length > max ? `${names.slice(0, max - 1).join(', ')} and ${names.length - max + 1} more` : names.join(', ');

/** "0 B", "312 kB", "46.1 MB", "2.31 GB" */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1e6) return `${Math.round(bytes / 1e3)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}

/** "46 MB" */
export const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
