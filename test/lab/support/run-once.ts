import { expect } from 'vitest';
import type { StepContext } from '../../../src/step/contract/part.ts';
import type { Step } from '../../../src/step/contract/step.ts';

/** Runs a step like the engine does, and returns the number of changed parts. */
export async function runOnce(step: Step, ctx: StepContext): Promise<number> {
  let changed = 0;
  for (const part of step.parts(ctx)) {
    if ((await part.precheck(ctx)).done) continue;
    await part.remember?.(ctx);
    await part.run(ctx);
    expect(await part.precheck(ctx), part.summary).toEqual({ done: true });
    changed++;
  }
  return changed;
}
