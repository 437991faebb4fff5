import type { Command } from '../../runner/command.ts';
import { DONE } from '../contract/finding.ts';
import { hearing } from '../contract/output.ts';
import type { PartKey } from '../contract/key.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';

/** A state that no other generic step can name, by the commands that ask for it, establish it and undo it. */
export interface CommandOptions {
  readonly key: PartKey;
  readonly summary: string;
  readonly formerly?: readonly string[];
  /** Looks; exits with 0 when all is as it should be. */
  readonly look: Command;
  readonly run: Command;
  /** Must be safe to repeat. */
  readonly undo?: Command;
  /** Why it is not done, when the output of `look` does not say it. */
  readonly because?: string;
}

/** The command `look` says yes. */
export function command({ key, summary, formerly = [], look, run, undo, because }: CommandOptions): GenericStep {
  return Object.freeze<GenericStep>({
    key,
    summary,
    formerly,
    async precheck({ runner }) {
      if (await runner.test(look)) return DONE;
      return { done: false, because: because ?? `\`${look.display}\` says no` };
    },
    async run(ctx) {
      if (!(await ctx.runner.test(look))) await ctx.runner.run(run, hearing(ctx));
    },
    ...(undo && {
      async rollback(ctx: StepContext) {
        await ctx.runner.run(undo, hearing(ctx));
      },
    }),
  });
}
