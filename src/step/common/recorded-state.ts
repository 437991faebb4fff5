import { dirname, join } from 'node:path/posix';
import type { Json } from '../../common/json.ts';
import { sh } from '../../runner/command.ts';
import { DONE } from '../contract/finding.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { runTogether } from '../contract/run-together.ts';

/** State of the host that programs installed by kubexm will change by themselves. */
export interface RecordedStateOptions {
  readonly summary: string;
  readonly formerly: readonly string[];
  /** Name of the marker file on the host; must not change between releases. */
  readonly name: string;
  readonly read: (ctx: StepContext) => Promise<Json>;
  /** Restores the state that `read` returned. */
  readonly restore: (ctx: StepContext, before: Json) => Promise<void>;
}

/** Records the state, so that it can be restored after those programs were removed. */
export function recordedState({ summary, formerly, name, read, restore }: RecordedStateOptions): GenericStep {
  return Object.freeze<GenericStep>({
    key: `note:${name}`,
    summary,
    together: 'records',
    formerly,
    precheck: async (ctx) =>
      (await ctx.runner.stat(markerOf(ctx, name))) ? DONE : { done: false, because: 'not recorded yet' },
    remember: read,
    async run(ctx) {
      const path = markerOf(ctx, name);
      await runTogether(ctx, sh`umask 077; mkdir -p -- ${dirname(path)} && : >${path}`);
    },
    rollback: (ctx, before) => restoreRecordedState(ctx, { name, restore }, before),
  });
}

/** Restores the state and removes the marker. */
export async function restoreRecordedState(
  ctx: StepContext,
  { name, restore }: Pick<RecordedStateOptions, 'name' | 'restore'>,
  before: Json,
): Promise<void> {
  const path = markerOf(ctx, name);
  await restore(ctx, before);
  await ctx.runner.run(sh`rm -f -- ${path} && { rmdir -- ${dirname(path)} 2>/dev/null || true; }`);
}

const markerOf = ({ originDir }: StepContext, name: string) => join(dirname(originDir), 'owned', name);
