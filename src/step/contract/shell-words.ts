import { sh, type Command } from '../../runner/command.ts';

/** Quotes each word of a command line. */
export const shellWords = (list: readonly string[]): Command => ({
  text: list.map((word) => sh`${word}`.text).join(' '),
  display: list.join(' '),
});
