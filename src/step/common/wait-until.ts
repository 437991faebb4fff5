import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '../../common/errors/errors.ts';
import type { Host } from '../../common/host.ts';
import type { Command } from '../../runner/command.ts';
import { DONE } from '../contract/finding.ts';
import type { PartKey } from '../contract/key.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';

/** What is waited for. */
export interface WaitOptions {
  readonly key: PartKey;
  /** "the API answers" */
  readonly summary: string;
  /** Looks; exits with 0 when the wait is over. */
  readonly question: Command;
  readonly timeoutMs: number;
  /** Where it is asked; on the host itself unless told. */
  readonly at?: Host;
}

/** The question is answered with yes; it is asked again and again, less and less often. */
export function waitUntil({ key, summary, question, timeoutMs, at }: WaitOptions): GenericStep {
  const asked = (ctx: StepContext) => (at ? ctx.on(at) : ctx.runner);
  return Object.freeze<GenericStep>({
    key,
    summary: `wait until ${summary}`,
    precheck: async (ctx) =>
      (await asked(ctx).test(question)) ? DONE : { done: false, because: `it is not so yet: ${summary}` },
    async run(ctx) {
      const end = Date.now() + timeoutMs;
      for (let pause = FIRST_MS; ; pause = Math.min(pause * 1.5, LAST_MS)) {
        const { exit, stdout, stderr } = await asked(ctx).query(question);
        if (exit === 0) return;
        const output = stderr.trim() || stdout.trim();
        ctx.say(`waiting until ${summary}${output && `: ${output.split('\n').at(-1) ?? ''}`}`);
        if (Date.now() + pause > end) {
          const seconds = Math.round(timeoutMs / 1000);
          throw fail('WAIT_ENDED', { host: ctx.host.name, summary, seconds, command: question.display, output });
        }
        await sleep(pause, undefined, { signal: ctx.signal });
      }
    },
  });
}

const FIRST_MS = 250;
const LAST_MS = 2000;
