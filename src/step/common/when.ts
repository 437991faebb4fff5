import type { Command } from '../../runner/command.ts';
import { DONE } from '../contract/finding.ts';
import type { GenericStep } from '../contract/part.ts';

/**
 * The part where the question is answered with yes; elsewhere there is nothing to do. For what only a look at the host
 * can tell, and what stays true when the part is done.
 */
export const when = (question: Command, part: GenericStep): GenericStep =>
  Object.freeze<GenericStep>({
    ...part,
    async precheck(ctx) {
      const [yes, finding] = await Promise.all([ctx.runner.test(question), part.precheck(ctx)]);
      return yes ? finding : DONE;
    },
  });
