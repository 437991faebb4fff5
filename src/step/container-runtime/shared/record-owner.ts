import { dirname, join } from 'node:path/posix';
import { sh, type Command } from '../../../runner/command.ts';
import { DONE } from '../../contract/finding.ts';
import type { GenericStep, Restore, StepContext } from '../../contract/part.ts';
import { defineStep, type Step } from '../../contract/step.ts';

/** It is noted whether a runtime was on the host before: then its containers and networks are not ours to remove. */
export const recordOwner = (runtime: string, wasHere: Command): Step =>
  defineStep({
    name: `${runtime}.note`,
    summary: `Note whether ${runtime} was here before`,
    reversible: true,
    parts: () => [noted(runtime, wasHere)],
  });

/** Where it is noted, until the cluster goes: "kubexm" or "others". */
export const ownerRecord = ({ originDir }: Pick<StepContext, 'originDir'>, runtime: string): string =>
  join(dirname(originDir), 'owned', runtime);

const noted = (runtime: string, wasHere: Command): GenericStep =>
  Object.freeze<GenericStep>({
    key: `runtime-owner:${runtime}`,
    summary: `note whether ${runtime} was here before`,
    formerly: [`note whether ${runtime} was here before`],
    async precheck(ctx) {
      return (await ctx.runner.stat(ownerRecord(ctx, runtime)))
        ? DONE
        : { done: false, because: 'it is not noted yet' };
    },
    async remember() {
      return null;
    },
    async run(ctx) {
      const note = ownerRecord(ctx, runtime);
      await ctx.runner.run(sh`umask 077; mkdir -p -- ${dirname(note)} || exit
if ${wasHere}; then echo others; else echo kubexm; fi >${note}`);
    },
    rollback: (ctx, before) => restoreRuntimeOwner(ctx, runtime, before),
  });

/** Forgets who installed the runtime. */
export const restoreRuntimeOwner: Restore = async (ctx, runtime) => {
  const note = ownerRecord(ctx, runtime);
  await ctx.runner.run(sh`rm -f -- ${note} && { rmdir -- ${dirname(note)} 2>/dev/null || true; }`);
};
