import type { Json } from '../../common/json.ts';
import type { Command } from '../../runner/command.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';

/** Rolls back a part unless its target was changed in the meantime. */
export const undoIfUnchanged = (isUnchanged: Command, part: GenericStep): GenericStep =>
  Object.freeze<GenericStep>({
    ...part,
    ...(part.rollback && {
      async rollback(ctx: StepContext, before: Json) {
        if (await ctx.runner.test(isUnchanged)) return part.rollback?.(ctx, before);
        ctx.say(`not undone, because the target was changed in the meantime: ${part.summary}`);
      },
    }),
  });
