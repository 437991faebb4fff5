import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { KubexmError } from '../../src/common/errors/errors.ts';
import { lockCluster } from '../../src/engine/lock/lock.ts';
import { localPlace } from '../../src/engine/lock/local-lock.ts';
import { remotePlace } from '../../src/engine/lock/host-lock.ts';
import { onMachine, scriptOn } from '../../src/lab/machine/machine.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { awaitEarlierRun } from '../../src/runtime/run/await-earlier-run.ts';
import { fencedConnector } from '../../src/runtime/session/fenced-connector.ts';
import { restore, statesOf } from '../e2e/support/kill-runs.ts';
import { ended, proofProgram, recordsOf, type ProofRun } from '../e2e/support/proof-program.ts';
import { connect } from './support/connect.ts';
import { labNames } from './support.ts';

const named = await labNames();
const name = named('lock');
const program = proofProgram();
let lab: Lab;
beforeAll(async () => {
  lab = await labUp({ name, machines: 2 });
}, 900_000);
beforeEach(() => restore(lab));

const LOCK = '/var/lib/kubexm/clusters/*/lock';
const onAll = (script: string) => Promise.all(lab.machines.map((machine) => scriptOn(machine, script)));
/** As if the last sign of life was given that long ago. */
const letPass = (seconds: number) => onAll(`touch -d '-${seconds} seconds' ${LOCK}/*`);
/** As if the lock was taken on another computer. */
const moveElsewhere = () =>
  onAll(`for f in ${LOCK}/*; do sed -i 's/"machine":"[^"]*"/"machine":"elsewhere"/' $f; done`);

/** An operator in the middle of a run: the lock is held, and no step is through. */
async function operatorAtWork(run: Partial<ProofRun> = {}) {
  const workdir = program.newWorkdir();
  const child = program.start({ file: lab.paths.cluster, workdir, waits: true, steps: [27], ...run });
  afterAll(() => void child.kill('SIGKILL'));
  const end = ended(child);
  await vi.waitFor(() => expect(recordsOf(workdir, lab.name)).not.toEqual([]), { timeout: 60_000, interval: 100 });
  return { child, end, workdir };
}
const another = () => program.run(lab, { workdir: program.newWorkdir(), steps: [2] });

it('a second operator is told who works on what since when', async () => {
  const first = await operatorAtWork();
  const second = await another();
  expect(second.exit).toBe(15);
  expect(second.stderr).toMatch(/\S+@\S+ runs proof run since 2\d{3}-\S+ .*\(run \d{8}-\d{6}-[0-9a-f]{4}\)/);
  await onAll('touch /run/kx-go');
  expect(await first.end).toMatchObject({ exit: 0 });
  expect(await another()).toMatchObject({ exit: 0 });
});

it('the lock of a run that was killed is free at once for those who know that it is dead', async () => {
  const first = await operatorAtWork();
  first.child.kill('SIGKILL');
  expect((await first.end).exit).toBe('SIGKILL');
  await onAll('touch /run/kx-go');
  const run = { workdir: first.workdir, waits: true, steps: [27] };
  expect(await program.run(lab, { ...run, flags: ['--resume'] })).toMatchObject({ exit: 0 });
});

it('elsewhere the lock of a run that was killed is free after 30 s', async () => {
  const first = await operatorAtWork();
  first.child.kill('SIGKILL');
  await first.end;
  await moveElsewhere();
  expect(await another()).toMatchObject({ exit: 15 });
  await letPass(31);
  expect(await another()).toMatchObject({ exit: 0 });
});

it('whoever slept through learns that the lock is lost, and starts nothing new', async () => {
  const first = await operatorAtWork();
  first.child.kill('SIGSTOP');
  await letPass(31);
  expect(await another()).toMatchObject({ exit: 0 });
  await onAll('touch /run/kx-go');
  first.child.kill('SIGCONT');
  const { exit, stderr } = await first.end;
  expect({ exit, stderr }).toMatchObject({ exit: 15, stderr: expect.stringContaining('took it over') });
  expect((await statesOf(lab)).flatMap(({ state }) => state.filter((line) => line.includes('/srv/kx-slow')))).toEqual(
    [],
  );
});

it('a host lets nobody begin anything who has lost its lock, even before he knows', async () => {
  const [machine] = lab.machines;
  await using way = connect(lab, machine!);
  const folder = '/var/lib/kubexm/clusters/x/lock';
  const local = join(program.newWorkdir(), 'lock');
  const operator = (who: string) => {
    mkdirSync(join(local, who), { recursive: true });
    return lockCluster({
      cluster: 'x',
      what: who,
      run: who,
      local: localPlace(join(local, who)),
      hosts: [remotePlace(way, folder)],
      heartbeatMs: 3_600_000,
    });
  };
  await using first = await operator('one');
  const door = fencedConnector(way, { cluster: 'x', lock: first, folder });
  expect((await door.exec('echo one >/run/kx-door; exit 247')).exit).toBe(247);
  await onMachine(machine!, ['touch', '-d', '-31 seconds', `${folder}/1`]);
  await using second = await operator('two');
  expect(second.fence).toBe(2);
  expect(first.lost.aborted).toBe(false);
  const refused = await door.exec('echo two >/run/kx-door').catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(KubexmError);
  expect(refused).toMatchObject({ code: 'LOCK_LOST', exit: 15 });
  expect(first.lost.aborted).toBe(true);
  expect(await onMachine(machine!, ['cat', '/run/kx-door'])).toBe('one\n');
});

it('what a run that is gone began on a host is waited for, and forgotten', async () => {
  const [machine] = lab.machines;
  const gone = connect(lab, machine!);
  const begun = gone.exec('touch /run/kx-begun; sleep 6; touch /run/kx-late', { group: 'x' }).catch(() => {});
  await vi.waitFor(() => onMachine(machine!, ['stat', '/run/kx-begun']), { timeout: 60_000, interval: 100 });
  await gone[Symbol.asyncDispose]();
  await begun;
  const left = (await onMachine(machine!, ['ls', '/var/lib/kubexm/run'])).split('\n').filter(Boolean);
  expect(left).toEqual([expect.stringMatching(/^x~/)]);
  await using way = connect(lab, machine!);
  const said: string[] = [];
  await awaitEarlierRun(way, 'x', { signal: AbortSignal.timeout(60_000), say: (line) => said.push(line) });
  expect(said).toEqual([expect.stringMatching(/^waiting for process \d+, started by an earlier run$/)]);
  await onMachine(machine!, ['stat', '/run/kx-late']);
  expect(await onMachine(machine!, ['ls', '/var/lib/kubexm/run'])).toBe('');
});
