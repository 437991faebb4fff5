import { SUM_OF as TEXT } from '../connector/sum.ts';
import type { Command } from './command.ts';

/** What a script begins with that calls `sum_of PATH`, which prints nothing when it cannot be read. */
export const SUM_OF: Command = Object.freeze({ text: TEXT, display: '' });
