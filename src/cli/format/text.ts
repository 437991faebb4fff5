/** Returns a number with a noun, such as "1 step" or "3 steps". */
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** Returns all names, or the first names of a long list: "node1, node2 and 7 more". */
export const shortList = (names: readonly string[], max = 6): string =>
  names.length > max ? `${names.slice(0, max - 1).join(', ')} and ${names.length - max + 1} more` : names.join(', ');

/** Formats a size, such as "312 kB", "46.1 MB" or "2.31 GB". */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1e6) return `${Math.round(bytes / 1e3)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}

/** Formats a size in whole megabytes, such as "46 MB". */
export const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
