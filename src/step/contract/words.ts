import { sh, type Command } from '../../runner/command.ts';

/** Words of a command line, each quoted. */
export const words = (list: readonly string[]): Command => ({
  text: list.map((word) => sh`${word}`.text).join(' '),
  display: list.join(' '),
});
