import { dirname, join } from 'node:path/posix';
import type { Json } from '../../common/json.ts';
import { sh } from '../../runner/command.ts';
import { DONE } from '../contract/finding.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';

/** Something of the host that programs of ours will change by themselves. */
export interface NotedOptions {
  /** "how the kernel is set" */
  readonly what: string;
  /** Of the note on the host; for good. */
  readonly note: string;
  readonly look: (ctx: StepContext) => Promise<Json>;
  /** Brings it back to what `look` saw. */
  readonly restore: (ctx: StepContext, before: Json) => Promise<void>;
}

/** It is noted what it was before, so that it can be put back once those programs are gone. */
export function noted({ what, note, look, restore }: NotedOptions): GenericStep {
  return Object.freeze<GenericStep>({
    key: `note:${note}`,
    summary: `note ${what}`,
    formerly: [`noted ${note}`, `note ${what}`],
    precheck: async (ctx) =>
      (await ctx.runner.stat(noteAt(ctx, note))) ? DONE : { done: false, because: 'it is not noted yet' },
    remember: look,
    async run(ctx) {
      const path = noteAt(ctx, note);
      await ctx.runner.run(sh`umask 077; mkdir -p -- ${dirname(path)} && : >${path}`);
    },
    rollback: (ctx, before) => restoreNoted(ctx, { note, restore }, before),
  });
}

export async function restoreNoted(
  ctx: StepContext,
  { note, restore }: Pick<NotedOptions, 'note' | 'restore'>,
  before: Json,
): Promise<void> {
  const path = noteAt(ctx, note);
  await restore(ctx, before);
  await ctx.runner.run(sh`rm -f -- ${path} && { rmdir -- ${dirname(path)} 2>/dev/null || true; }`);
}

const noteAt = ({ originDir }: StepContext, note: string) => join(dirname(originDir), 'owned', note);
