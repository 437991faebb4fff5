import type { Console } from '../console.ts';

/** Colors the added and removed lines of a unified diff. */
export const diffText = (diff: string, color: Console['color']): string =>
  diff
    .trimEnd()
    .split('\n')
    .map((line) => (line.startsWith('+') ? color.green(line) : line.startsWith('-') ? color.red(line) : line))
    .join('\n');
