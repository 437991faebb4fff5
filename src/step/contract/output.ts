import type { RunOptions } from '../../runner/runner.ts';
import type { StepContext } from './step.ts';

/** Lets what a command prints be heard as what goes on in the step, and lets the step be stopped. */
export const hearing = (ctx: Pick<StepContext, 'say' | 'signal'>): Pick<RunOptions, 'onLine' | 'signal'> => ({
  onLine: (line) => ctx.say(line),
  signal: ctx.signal,
});
