import { DONE } from '../contract/finding.ts';
import type { PartKey } from '../contract/key.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';

/** A part that only checks and therefore never counts as a change. */
export const checkOnly = (
  key: PartKey,
  summary: string,
  check: (ctx: StepContext) => void | Promise<void>,
): GenericStep =>
  Object.freeze<GenericStep>({
    key,
    summary,
    async precheck(ctx) {
      await check(ctx);
      return DONE;
    },
    run: () => Promise.resolve(),
  });
