import type { Secret } from '../../../src/common/secret.ts';
import { defineModule } from '../../../src/module/module.ts';
import { definePipeline, type Pipeline } from '../../../src/pipeline/pipeline.ts';
import { chain, sequence } from '../../../src/plan/fragment.ts';
import { sh } from '../../../src/runner/command.ts';
import { command } from '../../../src/step/common/command.ts';
import { file } from '../../../src/step/common/file.ts';
import { waitUntil } from '../../../src/step/common/wait-until.ts';
import type { GenericStep } from '../../../src/step/contract/part.ts';
import { defineStep, type Step } from '../../../src/step/contract/step.ts';
import { defineTask } from '../../../src/task/task.ts';
import type { ProofRun } from './proof-program.ts';
import { proofSteps } from './proof-steps.ts';

/** The plan of a proof run: two tasks in sequence, or one task whose last step can be made to fail. */
export function proofPipeline(run: ProofRun, secret: Secret | undefined): Pipeline {
  const chosen = proofSteps().filter((_, at) => run.steps === undefined || run.steps.includes(at + 1));
  const steps = [...(run.waits ? [WAIT] : []), ...chosen, ...(secret ? [writeSecret(secret)] : [])];
  const half = steps.length >> 1;
  const lanes = (name: string, ...gated: readonly (readonly Step[])[]) =>
    defineTask({ name, title: name, plan: ({ hosts }) => sequence(...gated.map((each) => chain(hosts.all, each))) });
  const tasks = run.mayFail
    ? [lanes('all', steps, [mayFail(secret)])]
    : [lanes('one', steps.slice(0, half)), lanes('two', steps.slice(half))];
  const plan = defineModule({
    name: 'proof',
    title: 'Proof',
    plan: (ctx) => sequence(...tasks.map((task) => ctx.task(task))),
  });
  return definePipeline({
    name: 'proof',
    command: 'proof run',
    title: 'Run the proof plan',
    plan: (ctx) => ctx.module(plan),
  });
}

const step = (name: string, part: GenericStep): Step => defineStep({ name, summary: name, parts: () => [part] });

const WAIT = step(
  'proof.waits',
  waitUntil({
    key: 'command:wait',
    summary: '/run/kx-go exists',
    condition: sh`test -e /run/kx-go`,
    timeoutMs: 300_000,
  }),
);

const writeSecret = (secret: Secret) =>
  step('proof.holds', file({ path: '/etc/kx-secret', content: secret, mode: 0o400 }));

/** Fails on machines with /run/kx-fail, and prints the secret in the error output. */
const mayFail = (secret: Secret | undefined) =>
  step(
    'proof.may-fail',
    command({
      key: 'command:finish',
      summary: 'create /run/kx-end',
      check: sh`test -e /run/kx-end`,
      run: sh`if [ -e /run/kx-fail ]; then echo invalid token ${secret ?? 'nothing'} >&2; exit 7; fi; touch /run/kx-end`,
      undo: sh`rm -f /run/kx-end`,
    }),
  );
