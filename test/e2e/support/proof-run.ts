import { readlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { KubexmError } from '../../../src/common/errors.ts';
import { loadCluster } from '../../../src/config/load.ts';
import { createStop } from '../../../src/engine/stop.ts';
import { chain, scope, sequence } from '../../../src/plan/fragment.ts';
import { toGraph } from '../../../src/plan/graph.ts';
import { sh } from '../../../src/runner/command.ts';
import { runPlan } from '../../../src/runtime/run-plan.ts';
import { openSession } from '../../../src/runtime/session.ts';
import { command } from '../../../src/step/common/command.ts';
import { defineStep } from '../../../src/step/step.ts';
import type { ProofRun } from './proof-program.ts';
import { proofSteps } from './proof-steps.ts';

/**
 * A run of the proof's plan in a process of its own, which can kill itself with -9 at a record of the journal: before the
 * record is written, or once it is on disk and nothing after it. Its argument is a `ProofRun`; it prints how it ended.
 */
const run: ProofRun = JSON.parse(process.argv[2] ?? '{}');
if (run.kill) await killAt(run.kill);
const cluster = await loadCluster(run.file);
await using session = await openSession(cluster, run.workdir);
const steps = proofSteps(run.workdir).filter((_, at) => run.steps === undefined || run.steps.includes(at + 1));
const hosts = session.hosts.all;
const half = steps.length >> 1;
const fails = defineStep({
  name: 'proof.fails',
  summary: 'Fail',
  parts: () => [command({ summary: 'fail', look: sh`false`, run: sh`echo out of luck >&2; exit 7` })],
});
const plan = run.fails
  ? scope('all', sequence(chain(hosts, steps), chain(hosts, [fails])))
  : sequence(scope('one', chain(hosts, steps.slice(0, half))), scope('two', chain(hosts, steps.slice(half))));
try {
  const { outcome, exit, counts, rollback, changed, error } = await runPlan(
    session,
    toGraph('proof', scope('proof', plan)),
    {
      workdir: run.workdir,
      command: 'create cluster',
      goOn: 'kubexm create cluster --resume',
      resume: run.resume ?? false,
      rollback: run.rollback ?? true,
      subscribers: [],
      stop: createStop(),
    },
  );
  const { undone, notUndone } = rollback;
  process.stdout.write(
    JSON.stringify({ outcome, counts, undone, notUndone, changed, error: error ? String(error) : '' }),
  );
  process.exitCode = exit;
} catch (error) {
  process.stderr.write(String(error));
  process.exitCode = error instanceof KubexmError ? error.exit : 1;
}

/** One write may bring several records, as one that a crash tears does: those before the one that is meant are written. */
async function killAt({ record, when }: NonNullable<ProofRun['kill']>): Promise<void> {
  const last = when === 'saved' ? record : record - 1;
  await using any = await open('/dev/null');
  const proto = Object.getPrototypeOf(any);
  const { write } = proto;
  proto.write = async function (this: { readonly fd: number }, bytes: Buffer, ...rest: readonly unknown[]) {
    const name = readlinkSync(`/proc/self/fd/${this.fd}`);
    const lines = name.endsWith('/journal.jsonl') ? bytes.toString('utf8').split('\n').filter(Boolean) : [];
    const numbers = lines.map((line) => Number(/"n":(\d+)/.exec(line)?.[1]));
    if (!numbers.some((number) => number >= record)) return Reflect.apply(write, this, [bytes, ...rest]);
    const text = lines.filter((_, at) => numbers[at]! <= last).map((line) => `${line}\n`);
    if (text.length > 0) await Reflect.apply(write, this, [Buffer.from(text.join(''))]);
    process.kill(process.pid, 'SIGKILL');
    return new Promise(() => {});
  };
}
