import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '../../common/errors/errors.ts';
import type { Host } from '../../common/host.ts';
import type { Command } from '../../runner/command.ts';
import { DONE } from '../contract/finding.ts';
import type { PartKey } from '../contract/key.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';

export interface WaitOptions {
  readonly key: PartKey;
  /** "the API server responds" */
  readonly summary: string;
  /** Changes nothing; exits with 0 when the condition is met. */
  readonly condition: Command;
  /** Like the condition, but waits some seconds for it, so that there is hardly a pause between two polls. */
  readonly watching?: Command;
  readonly timeoutMs: number;
  /** Where the condition is checked; on the host itself by default. */
  readonly on?: Host;
  /** Starts a watch that is called after each failed poll and throws as soon as waiting is pointless. */
  readonly watch?: () => (ctx: StepContext, state: { readonly timedOut: boolean }) => Promise<void>;
}

/** Polls the condition with back-off until it is met or the timeout expires. */
export function waitUntil(options: WaitOptions): GenericStep {
  const { key, summary, condition, watching, timeoutMs, on, watch } = options;
  const runnerOf = (ctx: StepContext) => (on ? ctx.on(on) : ctx.runner);
  return Object.freeze<GenericStep>({
    key,
    summary: `wait until ${summary}`,
    precheck: async (ctx) => ((await runnerOf(ctx).test(condition)) ? DONE : { done: false, because: 'not yet' }),
    async run(ctx) {
      const end = Date.now() + timeoutMs;
      const check = watch?.();
      for (let pause = FIRST_MS; ; pause = Math.min(pause * 1.5, LAST_MS)) {
        const { exit, stdout, stderr } = await runnerOf(ctx).query(watching ?? condition);
        if (exit === 0) return;
        const output = stderr.trim() || stdout.trim();
        ctx.say(`waiting until ${summary}${output && `: ${output.split('\n').at(-1) ?? ''}`}`);
        const timedOut = Date.now() + pause > end;
        await check?.(ctx, { timedOut });
        if (timedOut) {
          const seconds = Math.round(timeoutMs / 1000);
          throw fail('WAIT_ENDED', { host: ctx.host.name, summary, seconds, command: condition.display, output });
        }
        await sleep(watching ? FIRST_MS : pause, undefined, { signal: ctx.signal });
      }
    },
  });
}

const FIRST_MS = 250;
const LAST_MS = 2000;
