import { DONE } from '../contract/finding.ts';
import { hasOrigin, originOf, readOrigin, removeOrigin } from '../contract/origin.ts';
import type { GenericStep } from '../contract/part.ts';

/** Undoes a part that the step applied with earlier settings but no longer contains. */
export const restored = (step: string, part: GenericStep): GenericStep =>
  Object.freeze<GenericStep>({
    key: `undo:${part.key}`,
    summary: `undo: ${part.summary}`,
    async precheck(ctx) {
      return (await hasOrigin(ctx, step, part)) ? { done: false, because: 'changed by kubexm' } : DONE;
    },
    async run(ctx) {
      const origin = await originOf(ctx, step, part);
      const before = await readOrigin(ctx, origin);
      if (before === undefined) return;
      await part.rollback?.({ ...ctx, keepDir: origin.folder }, before);
      await ctx.runner.run(removeOrigin(origin));
    },
  });
