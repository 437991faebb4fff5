import { DONE } from '../contract/finding.ts';
import { originOf, readOrigin, removeOrigin } from '../contract/origin.ts';
import type { GenericStep } from '../contract/part.ts';

/** Restores the original state of a part that the step had with other settings. */
export const restored = (step: string, part: GenericStep): GenericStep =>
  Object.freeze<GenericStep>({
    key: `undo:${part.key}`,
    summary: `undo: ${part.summary}`,
    async precheck(ctx) {
      const { entry } = await originOf(ctx, step, part);
      return (await ctx.runner.stat(entry)) ? { done: false, because: 'changed by kubexm' } : DONE;
    },
    async run(ctx) {
      const origin = await originOf(ctx, step, part);
      const before = await readOrigin(ctx, origin);
      if (before === undefined) return;
      await part.rollback?.({ ...ctx, keepDir: origin.folder }, before);
      await ctx.runner.run(removeOrigin(origin));
    },
  });
