import type { Command } from '../../runner/command.ts';
import { DONE } from '../contract/finding.ts';
import type { GenericStep } from '../contract/part.ts';

/**
 * Applies a part only to hosts on which the condition succeeds. For conditions that depend on the host and that the part
 * itself does not change.
 */
export const when = (condition: Command, part: GenericStep): GenericStep =>
  Object.freeze<GenericStep>({
    ...part,
    async precheck(ctx) {
      const [applies, finding] = await Promise.all([ctx.runner.test(condition), part.precheck(ctx)]);
      return applies ? finding : DONE;
    },
  });
