import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { KubexmError } from '../../src/common/errors/errors.ts';
import { lockCluster } from '../../src/engine/lock/lock.ts';
import { localLockStore } from '../../src/engine/lock/local-lock.ts';
import { hostLockStore } from '../../src/engine/lock/host-lock.ts';
import { onMachine, scriptOn } from '../../src/lab/machine/machine.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { awaitEarlierRun } from '../../src/runtime/run/await-earlier-run.ts';
import { fencedConnector } from '../../src/runtime/session/fenced-connector.ts';
import { restore, statesOf } from '../e2e/support/kill-runs.ts';
import { proofProgram, recordsOf, resultOf, type ProofRun } from '../e2e/support/proof-program.ts';
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
/** Makes the last heartbeat appear this old. */
const ageHeartbeat = (seconds: number) => onAll(`touch -d '-${seconds} seconds' ${LOCK}/*`);
/** Makes the lock appear to be held from another computer. */
const pretendRemoteHolder = () =>
  onAll(`for f in ${LOCK}/*; do sed -i 's/"machine":"[^"]*"/"machine":"elsewhere"/' $f; done`);

/** Starts a run and returns while it holds the lock and before any step is done. */
async function startRun(run: Partial<ProofRun> = {}) {
  const workdir = program.newWorkdir();
  const child = program.start({ file: lab.paths.cluster, workdir, waits: true, steps: [27], ...run });
  afterAll(() => void child.kill('SIGKILL'));
  const end = resultOf(child);
  await vi.waitFor(() => expect(recordsOf(workdir, lab.name)).not.toEqual([]), { timeout: 300_000, interval: 100 });
  // A slow machine is locked later than the others.
  await vi.waitFor(() => onAll(`ls ${LOCK}/*`), { timeout: 300_000, interval: 100 });
  return { child, end, workdir };
}
const secondRun = () => program.run(lab, { workdir: program.newWorkdir(), steps: [2] });

it('tells a second operator who holds the lock, for which run and since when', async () => {
  const first = await startRun();
  const second = await secondRun();
  expect(second.exit).toBe(15);
  expect(second.stderr).toMatch(
    /\S+@\S+ has been running proof run since 2\d{3}-\S+ .*\(run \d{8}-\d{6}-[0-9a-f]{4}\)/,
  );
  await onAll('touch /run/kx-go');
  expect(await first.end).toMatchObject({ exit: 0 });
  expect(await secondRun()).toMatchObject({ exit: 0 });
});

it('releases the lock of a killed run at once on the same computer', async () => {
  const first = await startRun();
  first.child.kill('SIGKILL');
  expect((await first.end).exit).toBe('SIGKILL');
  await onAll('touch /run/kx-go');
  const run = { workdir: first.workdir, waits: true, steps: [27] };
  expect(await program.run(lab, { ...run, flags: ['--resume'] })).toMatchObject({ exit: 0 });
});

it('releases the lock of a killed run after 30 s on another computer', async () => {
  const first = await startRun();
  first.child.kill('SIGKILL');
  await first.end;
  await pretendRemoteHolder();
  expect(await secondRun()).toMatchObject({ exit: 15 });
  await ageHeartbeat(31);
  expect(await secondRun()).toMatchObject({ exit: 0 });
});

it('a suspended run that lost its lock starts no further steps', async () => {
  const first = await startRun();
  first.child.kill('SIGSTOP');
  await ageHeartbeat(31);
  expect(await secondRun()).toMatchObject({ exit: 0 });
  await onAll('touch /run/kx-go');
  first.child.kill('SIGCONT');
  const { exit, stderr } = await first.end;
  expect({ exit, stderr }).toMatchObject({ exit: 15, stderr: expect.stringContaining('took over the lock') });
  expect((await statesOf(lab)).flatMap(({ state }) => state.filter((line) => line.includes('/srv/kx-slow')))).toEqual(
    [],
  );
});

it('a host rejects commands from a stale lock holder before the holder notices', async () => {
  const [machine] = lab.machines;
  await using connector = connect(lab, machine!);
  const folder = '/var/lib/kubexm/clusters/x/lock';
  const local = join(program.newWorkdir(), 'lock');
  const takeLock = (operator: string) => {
    mkdirSync(join(local, operator), { recursive: true });
    return lockCluster({
      cluster: 'x',
      what: operator,
      run: operator,
      local: localLockStore(join(local, operator)),
      hosts: [hostLockStore(connector, folder)],
      heartbeatMs: 3_600_000,
    });
  };
  await using first = await takeLock('one');
  const fenced = fencedConnector(connector, { cluster: 'x', lock: first, folder });
  expect((await fenced.exec('echo one >/run/kx-fenced; exit 247')).exit).toBe(247);
  await onMachine(machine!, ['touch', '-d', '-31 seconds', `${folder}/1`]);
  await using second = await takeLock('two');
  expect(second.fence).toBe(2);
  expect(first.lost.aborted).toBe(false);
  const refused = await fenced.exec('echo two >/run/kx-fenced').catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(KubexmError);
  expect(refused).toMatchObject({ code: 'LOCK_LOST', exit: 15 });
  expect(first.lost.aborted).toBe(true);
  expect(await onMachine(machine!, ['cat', '/run/kx-fenced'])).toBe('one\n');
});

it('waits for a process started by an earlier run, then cleans up after it', async () => {
  const [machine] = lab.machines;
  const earlier = connect(lab, machine!);
  const script = 'touch /run/kx-begun; until [ -e /run/kx-end ]; do sleep 0.1; done; touch /run/kx-late';
  const begun = earlier.exec(script, { group: 'x' }).catch(() => {});
  await vi.waitFor(() => onMachine(machine!, ['stat', '/run/kx-begun']), { timeout: 300_000, interval: 100 });
  await earlier[Symbol.asyncDispose]();
  await begun;
  const left = (await onMachine(machine!, ['ls', '/var/lib/kubexm/run'])).split('\n').filter(Boolean);
  expect(left).toEqual([expect.stringMatching(/^x~/)]);
  await using connector = connect(lab, machine!);
  const said: string[] = [];
  const say = (line: string) => {
    said.push(line);
    void onMachine(machine!, ['touch', '/run/kx-end']);
  };
  await awaitEarlierRun(connector, 'x', { signal: AbortSignal.timeout(300_000), say });
  expect(said).toEqual([expect.stringMatching(/^waiting for process \d+, started by an earlier run$/)]);
  await onMachine(machine!, ['stat', '/run/kx-late']);
  expect(await onMachine(machine!, ['ls', '/var/lib/kubexm/run'])).toBe('');
});
