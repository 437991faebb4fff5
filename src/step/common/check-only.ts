import { DONE } from '../contract/finding.ts';
import type { PartKey } from '../contract/key.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';

/** A part that changes nothing: looking is all it does, so it does not say that something was done. */
export const onlyLooks = (
  key: PartKey,
  summary: string,
  look: (ctx: StepContext) => void | Promise<void>,
): GenericStep =>
  Object.freeze<GenericStep>({
    key,
    summary,
    async precheck(ctx) {
      await look(ctx);
      return DONE;
    },
    run: () => Promise.resolve(),
  });
