import { dirname, join } from 'node:path/posix';
import { sh, type Command } from '../../../runner/command.ts';
import { DONE } from '../../contract/finding.ts';
import type { GenericStep, Restore, StepContext } from '../../contract/part.ts';
import { defineStep, type Step } from '../../contract/step.ts';

/** Records whether the host had the runtime before. If it had, its containers and networks are not removed. */
export const recordOwner = (runtime: string, isInstalled: Command, restore: Restore = restoreRuntimeOwner): Step =>
  defineStep({
    name: `${runtime}.note`,
    summary: `Record whether ${runtime} is already installed`,
    reversible: true,
    parts: () => [recordedOwner(runtime, isInstalled, restore)],
  });

/** The path of the record, which contains "kubexm" or "others". */
export const ownerRecord = ({ originDir }: Pick<StepContext, 'originDir'>, runtime: string): string =>
  join(dirname(originDir), 'owned', runtime);

const recordedOwner = (runtime: string, isInstalled: Command, restore: Restore): GenericStep =>
  Object.freeze<GenericStep>({
    key: `runtime-owner:${runtime}`,
    summary: `record whether ${runtime} is already installed`,
    formerly: [`note whether ${runtime} was here before`],
    async precheck(ctx) {
      return (await ctx.runner.stat(ownerRecord(ctx, runtime))) ? DONE : { done: false, because: 'not recorded yet' };
    },
    async remember() {
      return null;
    },
    async run(ctx) {
      const path = ownerRecord(ctx, runtime);
      await ctx.runner.run(sh`umask 077; mkdir -p -- ${dirname(path)} || exit
if ${isInstalled}; then echo others; else echo kubexm; fi >${path}`);
    },
    rollback: (ctx, before) => restore(ctx, runtime, before),
  });

/** Removes the record. */
export const restoreRuntimeOwner: Restore = async (ctx, runtime) => {
  const path = ownerRecord(ctx, runtime);
  await ctx.runner.run(sh`rm -f -- ${path} && { rmdir -- ${dirname(path)} 2>/dev/null || true; }`);
};
