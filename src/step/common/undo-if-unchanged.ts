import type { Json } from '../../common/json.ts';
import type { Command } from '../../runner/command.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';

/** The part, undone only while the question whether it is still as we left it is answered with yes. */
export const whileOurs = (question: Command, part: GenericStep): GenericStep =>
  Object.freeze<GenericStep>({
    ...part,
    ...(part.rollback && {
      async rollback(ctx: StepContext, before: Json) {
        if (await ctx.runner.test(question)) return part.rollback?.(ctx, before);
        ctx.say(`left alone, it is not as kubexm left it: ${part.summary}`);
      },
    }),
  });
