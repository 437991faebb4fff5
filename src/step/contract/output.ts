import type { RunOptions } from '../../runner/command.ts';
import type { StepContext } from './part.ts';

/** Run options that report the output of a command as progress of the step, and stop it together with the step. */
export const streamOutput = (ctx: Pick<StepContext, 'say' | 'signal'>): Pick<RunOptions, 'onLine' | 'signal'> => ({
  onLine: (line) => ctx.say(line),
  signal: ctx.signal,
});
