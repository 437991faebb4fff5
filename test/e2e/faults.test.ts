import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { EXIT } from '../../src/common/errors/exit-codes.ts';
import { createStop } from '../../src/engine/stop.ts';
import { loadCluster } from '../../src/config/load/load.ts';
import { fileSource } from '../../src/connector/upload-source.ts';
import { awaitMachines } from '../../src/lab/machine/wait.ts';
import { clearFaults, faults } from '../../src/lab/fault/faults.ts';
import { onMachine, scriptOn, tryOnMachine, type Machine } from '../../src/lab/machine/machine.ts';
import { run } from '../../src/lab/run.ts';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { chain, scope } from '../../src/plan/fragment.ts';
import { toGraph } from '../../src/plan/to-graph.ts';
import { runPlan } from '../../src/runtime/run/run-plan.ts';
import { openSession } from '../../src/runtime/session/session.ts';
import { packages } from '../../src/step/common/packages.ts';
import { uploaded } from '../../src/step/common/uploaded.ts';
import { defineStep, type Step } from '../../src/step/contract/step.ts';
import { countReads } from '../lab/support/count-reads.ts';
import { badLogins, LOGIN_PASSWORD, prepareLogins, SUDO_PASSWORD } from '../lab/support/bad-logins.ts';
import { effectsOf, effectStep, removeEffects, TRIAL_STEPS } from '../lab/support/fault-steps.ts';
import { labNames } from '../lab/support.ts';
import { stepHarness, type StepHarness, type CommandOutcome } from '../lab/support/step-harness.ts';

const named = await labNames();
let lab: Lab;
let node2: Machine;

beforeAll(async () => {
  lab = await labUp({
    name: named('faults'),
    machines: 3,
    user: 'ops',
    password: LOGIN_PASSWORD,
    sudoPassword: SUDO_PASSWORD,
  });
  node2 = lab.machines[1]!;
  await prepareLogins(lab, node2);
});
afterEach(async () => {
  await clearFaults(node2);
  await awaitMachines([node2], lab.paths);
  await removeEffects(lab.machines);
});

const RESUME = { flags: ['--resume'] };
/** Resumes until the lock of the previous run expires on a host that was unreachable, which takes 30 s. */
async function resume(trial: StepHarness, steps: readonly Step[]): Promise<CommandOutcome> {
  for (const end = Date.now() + 90_000; ; await sleep(1000)) {
    const tried = await trial.run(steps, {}, RESUME);
    if (tried.exit !== EXIT.locked || Date.now() > end) return tried;
  }
}

const exists = async (path: string) => (await tryOnMachine(node2, ['test', '-e', path])).exit === 0;

describe('a host that refuses login is quarantined, the others continue, and --resume retries it:', () => {
  it.each(badLogins)('$fault', async ({ login, expected }) => {
    const trial = await stepHarness(lab);
    const first = await trial.run(TRIAL_STEPS, { node2: login(lab) });
    for (const words of expected('node2')) expect(first.text).toMatch(words);
    expect(first.text).toMatch(/^! node2 \(.*\) quarantined at trial.file$/m);
    expect(first.text).toMatch(/State +Everything is done except 2 steps on node2/);
    expect(first.text).toMatch(/Steps +4 changed, 0 unchanged/);
    expect(first.text).not.toContain('Canary');
    expect(first.exit).toBe(3);
    expect(await effectsOf(lab.machines)).toEqual([1, 0, 1]);
    expect(await exists('/etc/trial')).toBe(false);

    const second = await trial.run(TRIAL_STEPS, {}, RESUME);
    expect(second.exit, second.text).toBe(0);
    expect(await effectsOf(lab.machines)).toEqual([1, 1, 1]);
  });
});

describe('a host that stops responding during a step', () => {
  const STARTED = /^node2 {2}trial.slow {2}started$/;
  const slow = (timeoutMs: number) => effectStep('trial.slow', { before: 'echo started; sleep 5', timeoutMs });

  it('is quarantined after the timeout if it hangs', async () => {
    const trial = await stepHarness(lab);
    const start = Date.now();
    const first = await trial.run(
      [slow(8000), ...TRIAL_STEPS],
      { node2: { timeout: '5s' } },
      {
        onLine: (line) => void (STARTED.test(line) && faults.pause.apply(node2)),
      },
    );
    console.log(`a hanging host delayed the run by ${Math.round((Date.now() - start) / 1000)} s`);
    expect(first.text).toMatch(/^! node2 \(.*\) quarantined at trial.slow$/m);
    expect(first.text).toContain('A step timed out. It was stopped after 8 s. Last output: started');
    expect(first.text).toMatch(/Try +Check the load of the host, then repeat the command with --resume/);
    expect(first.text).toContain('STEP_TIMED_OUT');
    expect(first.exit).toBe(3);
    expect(await effectsOf(lab.machines.filter((machine) => machine !== node2))).toEqual([2, 2]);

    await clearFaults(node2);
    const second = await resume(trial, [slow(120_000), ...TRIAL_STEPS]);
    expect(second.exit, second.text).toBe(0);
    expect(await effectsOf(lab.machines)).toEqual([2, 2, 2]);
  });

  it('is reached again after a long network outage, and completed work is not repeated', async () => {
    const trial = await stepHarness(lab);
    const long = effectStep('trial.slow', { before: 'echo started; sleep 70' });
    let cut: Promise<void> | undefined;
    // Long enough for several failed connection attempts.
    const cutFor40s = () =>
      faults.cut
        .apply(node2)
        .then(() => sleep(40_000))
        .then(() => clearFaults(node2));
    const { exit, text } = await trial.run(
      [long, ...TRIAL_STEPS],
      { node2: { timeout: '3s' } },
      {
        onLine: (line) => void (STARTED.test(line) && (cut ??= cutFor40s())),
      },
    );
    await cut;
    expect(exit, text).toBe(0);
    expect(await effectsOf(lab.machines)).toEqual([2, 2, 2]);
  });

  it('is quarantined after a permanent network outage', async () => {
    const trial = await stepHarness(lab);
    const steps = [slow(270_000), ...TRIAL_STEPS];
    const first = await trial.run(
      steps,
      { node2: { timeout: '3s' } },
      {
        onLine: (line) => void (STARTED.test(line) && faults.cut.apply(node2)),
      },
    );
    expect(first.text).toMatch(/^! node2 \(.*\) quarantined at trial.slow$/m);
    expect(first.text).toContain('HOST_UNREACHABLE');
    expect(first.exit).toBe(3);
    await clearFaults(node2);
    expect(await effectsOf(lab.machines)).toEqual([2, 1, 2]);
    const second = await resume(trial, steps);
    expect(second.exit, second.text).toBe(0);
    expect(await effectsOf(lab.machines)).toEqual([2, 2, 2]);
  }, 600_000);

  it('is awaited after a reboot, and the run succeeds', async () => {
    const trial = await stepHarness(lab);
    let reboot: Promise<void> | undefined;
    const { exit, text } = await trial.run(
      [slow(120_000), ...TRIAL_STEPS],
      {},
      {
        onLine: (line) => void (STARTED.test(line) && (reboot ??= faults.reboot.apply(node2))),
      },
    );
    await reboot;
    expect(exit, text).toBe(0);
    expect(text).toMatch(/node2 .*the host rebooted/);
    expect(await effectsOf(lab.machines)).toEqual([2, 2, 2]);
  });
});

describe('a 2 GB upload', () => {
  const SIZE = 2 * 1024 ** 3;
  let path: string;
  beforeAll(async () => {
    path = join(lab.paths.folder, 'two-gigabytes');
    const block = randomBytes(64 * 1024 ** 2);
    await using file = await open(path, 'w');
    for (let written = 0; written < SIZE; written += block.length) await file.write(block);
    return () => rm(path);
  });
  const put = (source: Parameters<typeof uploaded>[0]['source'], to: string) =>
    defineStep({
      name: 'trial.upload',
      summary: 'Upload',
      timeoutMs: 280_000,
      parts: () => [uploaded({ source, path: to, mode: 0o600 })],
    });

  it('continues where the connection was lost', async () => {
    const trial = await stepHarness(lab);
    let drop: Promise<void> | undefined;
    const file = await fileSource(path);
    const { source, count } = countReads(file, (bytes) => {
      if (bytes > SIZE / 3) drop ??= faults.reset.apply(node2);
      return bytes > SIZE / 2 ? drop : undefined;
    });
    const start = Date.now();
    const { exit, text } = await trial.run([put(source, '/opt/trial/big')], {}, { flags: ['--nodes', 'node2'] });
    expect(exit, text).toBe(0);
    expect(count.opened).toBe(2);
    console.log(
      `2 GB with a lost connection: ${Math.round((Date.now() - start) / 1000)} s, ${((count.bytes - SIZE) / 1e6).toFixed(1)} MB sent again`,
    );
    expect(count.bytes - SIZE).toBeLessThan(16 * 1024 ** 2);
    expect(await onMachine(node2, ['sh', '-c', 'sha256sum </opt/trial/big; stat -c %a /opt/trial/big'])).toBe(
      `${file.sha256}  -\n600\n`,
    );
    expect((await onMachine(node2, ['ls', '-A', '/opt/trial'])).trim()).toBe('big');
  });

  it('leaves nothing behind if the disk is too small', async () => {
    await scriptOn(node2, 'mkdir -p /mnt/trial; mount -t tmpfs -o size=64m tmpfs /mnt/trial');
    const trial = await stepHarness(lab);
    const step = put(await fileSource(path), '/mnt/trial/big');
    const { exit, text } = await trial.run([step], {}, { flags: ['--nodes', 'node2'] });
    expect(text).toContain('No space left on node2. There is not enough disk space for /mnt/trial/big (2148 MB).');
    expect(text).toMatch(/Try +On node2: df -h \/mnt\/trial; df -i \/mnt\/trial/);
    expect(text).toContain('DISK_FULL');
    expect(exit).toBe(12);
    expect(await onMachine(node2, ['ls', '-A', '/mnt/trial'])).toBe('');
    await scriptOn(node2, 'umount /mnt/trial');
  });
});

it('waits for a dpkg lock held for 30 s and reports its holder', async () => {
  await scriptOn(node2, MAKE_REPOSITORY);
  await faults.dpkgLock.apply(node2);
  const trial = await stepHarness(lab);
  const install = defineStep({ name: 'trial.install', summary: 'Install', parts: () => [packages(['kubexm-trial'])] });
  const start = Date.now();
  const free = sleep(30_000).then(() => faults.dpkgLock.clear(node2));
  const { exit, text } = await trial.run([install], {}, { flags: ['--nodes', 'node2'] });
  await free;
  expect(exit, text).toBe(0);
  expect(Date.now() - start).toBeGreaterThan(30_000);
  const holder = String.raw`waiting for the package manager lock held by \S*perl \S*dpkg-lock.pl \(pid \d+\)`;
  expect(text).toMatch(new RegExp(`^node2  trial.install  ${holder} \\(0 s\\)$`, 'm'));
  expect(text).toMatch(new RegExp(`^node2  trial.install  ${holder} \\(15 s\\)$`, 'm'));
  expect(await onMachine(node2, ['dpkg-query', '-W', 'kubexm-trial'])).toContain('1.0');
  await scriptOn(
    node2,
    'dpkg --purge kubexm-trial >/dev/null; rm -rf /root/repository /etc/apt/sources.list.d/trial.list',
  );
});

// A local package and repository, so that no network access is needed.
const MAKE_REPOSITORY = String.raw`mkdir -p /root/repository/p/DEBIAN; cd /root/repository
printf 'Package: kubexm-trial\nVersion: 1.0\nArchitecture: all\nMaintainer: nobody\nDescription: nothing\n' >p/DEBIAN/control
dpkg-deb --build p trial.deb >/dev/null
{ cat p/DEBIAN/control; echo 'Filename: ./trial.deb'; echo "Size: $(stat -c %s trial.deb)"; echo "SHA256: $(sha256sum <trial.deb | cut -d' ' -f1)"; } >Packages
chmod 755 /root
echo 'deb [trusted=yes] file:/root/repository ./' >/etc/apt/sources.list.d/trial.list
apt-get -q update -o Dir::Etc::sourcelist=sources.list.d/trial.list -o Dir::Etc::sourceparts=- -o APT::Get::List-Cleanup=0 >/dev/null
`;

it('needs few round trips on a link with 300 ms latency and 2% packet loss', async () => {
  await faults.delay.apply(node2, { milliseconds: 300 });
  await faults.loss.apply(node2, { percent: 2 });
  const trial = await stepHarness(lab);
  const cluster = await loadCluster(lab.paths.cluster, {});
  const graph = (session: Awaited<ReturnType<typeof openSession>>) =>
    toGraph('trial', scope('trial', scope('try', chain(session.hosts.all, TRIAL_STEPS))));
  const once = async () => {
    await using session = await openSession(cluster, trial.workdir);
    const start = Date.now();
    const { outcome, exit } = await runPlan(session, graph(session), {
      workdir: trial.workdir,
      command: 'trial run',
      selection: '',
      line: 'kubexm trial run',
      resumeCommand: '',
      removesCluster: false,
      resume: undefined,
      rollback: true,
      subscribers: [],
      stop: createStop(),
    });
    expect([outcome, exit]).toEqual(['done', 0]);
    return { trips: session.connector(session.hosts.all[1]!).roundTrips, ms: Date.now() - start };
  };
  const first = await once();
  const second = await once();
  const line = ({ trips, ms }: typeof first) => `${trips} round trips, ${(ms / 1000).toFixed(1)} s`;
  console.log(`300 ms and 2% loss: ${line(first)}; nothing to do: ${line(second)}`);
  expect(await effectsOf(lab.machines)).toEqual([1, 1, 1]);
  expect(second.trips).toBeLessThanOrEqual(6);
});

it('starts no steps when the local disk is full, and resumes once there is space', async () => {
  const workdir = join(lab.paths.folder, 'small');
  const filler = join(workdir, 'filler');
  await mkdir(workdir);
  await run(['mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', workdir]);
  onTestFinished(async () => void (await run(['umount', '-l', workdir])));
  const trial = await stepHarness(lab, workdir);
  const proceed = '/root/trial-proceed';
  const wait = `echo started; until [ -e ${proceed} ]; do sleep 0.1; done`;
  const steps = Array.from({ length: 20 }, (_, n) => effectStep(`trial.s${n}`, n === 0 ? { before: wait } : {}));
  const fillUp = () => run(['sh', '-c', `cat /dev/zero >${filler} 2>/dev/null || true`]);
  await fillUp();
  const none = await trial.run(steps);
  expect(none.text).toContain('ENOSPC: no space left on device');
  expect(none.text).toContain('FILE_UNWRITABLE');
  expect(none.text).toMatch(/Try +.*df -h /);
  expect(none.exit).toBe(10);
  expect(await effectsOf(lab.machines)).toEqual([0, 0, 0]);
  await rm(filler);

  let filling: Promise<unknown> | undefined;
  const fill = async () => {
    await fillUp();
    await Promise.all(lab.machines.map((machine) => onMachine(machine, ['touch', proceed])));
  };
  const first = await trial.run(
    steps,
    {},
    { onLine: (line) => void (/ {2}started$/.test(line) && (filling ??= fill())) },
  );
  await filling;
  expect(first.text).toMatch(/Writing \S+journal.jsonl failed: ENOSPC: no space left on device/);
  expect(first.text).toMatch(
    /Try +Free disk space on this machine \(df -h \.\), then repeat the command with --resume/,
  );
  expect(first.text).toContain('JOURNAL_UNWRITABLE');
  expect(first.exit).toBe(12);
  const before = await effectsOf(lab.machines);
  for (const count of before) expect(count).toBeLessThan(steps.length);

  await rm(filler);
  const second = await trial.run(steps, {}, RESUME);
  expect(second.exit, second.text).toBe(0);
  expect(await effectsOf(lab.machines)).toEqual([steps.length, steps.length, steps.length]);
  console.log(
    `journal full after ${before.join(', ')} of ${steps.length} steps; resumed to completion, no step repeated`,
  );
  const [id] = await readdir(join(workdir, '.kubexm', lab.name, 'runs'));
  expect(await readFile(join(workdir, '.kubexm', lab.name, 'runs', id!, 'journal.jsonl'), 'utf8')).toContain('resumed');
});
