import { join } from 'node:path/posix';
import { sh } from '../../../runner/command.ts';
import { DONE } from '../../contract/finding.ts';
import { reverse } from '../../contract/reverse.ts';
import { defineStep, type GenericStep, type Step, type StepContext } from '../../contract/step.ts';

/** What takes tools from a host again that several runtimes use: it waits for the last of them. */
export const toolsToUndo = (steps: readonly Step[]): readonly Step[] =>
  steps
    .map(reverse)
    .map(({ name, summary, timeoutMs, parts }) =>
      defineStep({ name, summary, timeoutMs, parts: (view) => parts(view).map(unlessUsed) }),
    );

const unlessUsed = (part: GenericStep): GenericStep =>
  Object.freeze<GenericStep>({
    ...part,
    async precheck(ctx) {
      const [used, finding] = await Promise.all([ctx.runner.test(isUsed(ctx)), part.precheck(ctx)]);
      return used ? DONE : finding;
    },
  });

/** A runtime that we run and did not undo yet may be stopped only with them, and makes their folders anew. */
function isUsed({ originDir }: StepContext) {
  const [a, b, c, d] = ['containerd', 'docker', 'cri-o', 'isulad'].map((name) => join(originDir, `${name}.run`));
  return sh`[ -n "$(find ${a!} ${b!} ${c!} ${d!} -name before.json 2>/dev/null | head -n 1)" ]`;
}
