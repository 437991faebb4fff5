import type { Command } from '../../runner/command.ts';
import { DONE } from '../contract/finding.ts';
import { streamOutput } from '../contract/output.ts';
import type { PartKey } from '../contract/key.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';

/** A state that no other part covers: commands that check, establish and undo it. */
export interface CommandOptions {
  readonly key: PartKey;
  readonly summary: string;
  readonly formerly?: readonly string[];
  /** Changes nothing; exits with 0 if the state is established. */
  readonly check: Command;
  readonly run: Command;
  /** Must be safe to repeat. */
  readonly undo?: Command;
  /** Shown if `check` fails; its command line by default. */
  readonly because?: string;
}

/** Runs a command unless the command `check` already succeeds. */
export function command({ key, summary, formerly = [], check, run, undo, because }: CommandOptions): GenericStep {
  return Object.freeze<GenericStep>({
    key,
    summary,
    formerly,
    async precheck({ runner }) {
      if (await runner.test(check)) return DONE;
      return { done: false, because: because ?? `\`${check.display}\` failed` };
    },
    async run(ctx) {
      if (!(await ctx.runner.test(check))) await ctx.runner.run(run, streamOutput(ctx));
    },
    ...(undo && {
      async rollback(ctx: StepContext) {
        await ctx.runner.run(undo, streamOutput(ctx));
      },
    }),
  });
}
