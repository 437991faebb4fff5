import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LogRecord } from '../../../src/engine/event/json-log.ts';
import { localLockStore } from '../../../src/engine/lock/local-lock.ts';
import { lockCluster } from '../../../src/engine/lock/lock.ts';
import { encode, type JournalRecord } from '../../../src/engine/journal/record.ts';
import { lockFolder, runPaths, writeRunInfo } from '../../../src/state/runs.ts';
import { home, kubexm } from './kubexm.ts';

const FILE = resolve('test/fixtures/full.yaml');
const CLUSTER = /^ {2}name: (\S+)/m.exec(readFileSync(FILE, 'utf8'))![1]!;
const AT = '2026-11-17T10:14:02.000Z';
const node = (host: string, step = 'os.sysctl') => `infrastructure/prepare-os/${step}@${host}`;

interface FakeRun {
  readonly id: string;
  readonly pipeline?: string;
  readonly command?: string;
  readonly selection?: string;
  readonly records: readonly JournalRecord[];
  readonly log?: readonly Partial<LogRecord>[];
}

/** Writes the records of a run. */
async function put(
  workdir: string,
  { id, pipeline = 'create-cluster', command = 'create cluster', selection, records, log = [] }: FakeRun,
) {
  const paths = runPaths(workdir, CLUSTER, id);
  mkdirSync(paths.folder, { recursive: true });
  const begun: JournalRecord = { type: 'begun', run: id, pipeline, at: AT, fence: 1 };
  writeFileSync(paths.journal, [begun, ...records].map((record, index) => encode(record, index + 1)).join(''));
  const base = { timestamp: AT, level: 'info', pipeline_id: id, pipeline };
  writeFileSync(paths.log, log.map((record) => `${JSON.stringify({ ...base, ...record })}\n`).join(''));
  writeFileSync(
    paths.plan,
    `${pipeline}: 4 steps on 2 hosts\n\ninfrastructure/prepare-os\n  os.sysctl  node1, node2\n`,
  );
  const who = { owner: 'ada@desk', pid: 42, version: '0.1.0' };
  const line = `kubexm ${command} -f ha.yaml`;
  await writeRunInfo(paths, {
    id,
    cluster: CLUSTER,
    pipeline,
    command,
    ...(selection !== undefined && { selection }),
    line,
    ...who,
    started: AT,
    hosts: { node1: 2, node2: 2 },
    goOn: `${line} --resume`,
  });
  return paths;
}

const ended = (outcome: string): JournalRecord => ({ type: 'ended', outcome, at: '2026-11-17T10:14:05.000Z' });
const FAILED: FakeRun = {
  id: '20261117-101402-3f9a',
  records: [
    { type: 'change', node: node('node1'), part: 0, summary: 'set x' },
    { type: 'done', node: node('node1'), ms: 1200 },
    { type: 'skipped', node: node('node1', 'os.hosts') },
    { type: 'change', node: node('node2'), part: 0, summary: 'set x' },
    { type: 'failed', node: node('node2'), code: 'COMMAND_FAILED' },
    { type: 'undoing', node: node('node2') },
    { type: 'undone', node: node('node2') },
    ended('failed'),
  ],
  log: [
    { event: 'run-started', message: 'create-cluster: 4 steps on 2 hosts' },
    {
      event: 'started',
      module: 'infrastructure',
      task: 'prepare-os',
      step: 'os.sysctl',
      node: 'node1',
      message: 'Set the kernel',
    },
    {
      event: 'done',
      module: 'infrastructure',
      task: 'prepare-os',
      step: 'os.sysctl',
      node: 'node1',
      message: 'done',
      duration_ms: 1200,
    },
    {
      event: 'failed',
      level: 'error',
      module: 'infrastructure',
      task: 'prepare-os',
      step: 'os.sysctl',
      node: 'node2',
      message: 'failed: A command failed on node2. `sysctl -p` exited with 1.\nno such key',
      code: 'COMMAND_FAILED',
      hint: 'Run it manually',
    },
    {
      event: 'rolled-back',
      module: 'infrastructure',
      task: 'prepare-os',
      step: 'os.sysctl',
      node: 'node2',
      message: 'undone',
      duration_ms: 5,
    },
    { event: 'run-ended', level: 'error', message: 'create-cluster: failed', duration_ms: 3000 },
  ],
};
const DIED: FakeRun = { id: '20261117-111402-aaaa', records: FAILED.records.slice(0, 4), log: FAILED.log!.slice(0, 3) };
const DONE: FakeRun = { id: '20261117-121402-bbbb', records: [...FAILED.records.slice(0, 3), ended('done')] };

const call = (workdir: string, ...args: readonly string[]) =>
  kubexm([...args, '-f', FILE, '--workdir', workdir], { TZ: 'UTC' });

describe('get runs', () => {
  it('lists runs, newest first, with their outcome', async () => {
    const workdir = home();
    for (const run of [FAILED, DIED, DONE]) await put(workdir, run);
    const { exit, stdout } = await call(workdir, 'get', 'runs');
    expect(exit).toBe(0);
    const [head, ...rows] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {3,}/));
    expect(head).toEqual(['ID', 'COMMAND', 'STARTED', 'TOOK', 'OUTCOME', 'HOSTS', 'DONE', 'FAILED']);
    expect(rows.map((row) => [row[0], row[4], row[6], row[7]])).toEqual([
      [DONE.id, 'done', '2/4', '0'],
      [DIED.id, 'died (resume)', '2/4', '0'],
      [FAILED.id, 'failed', '2/4', '1'],
    ]);
    expect(rows[2]!.slice(1, 4)).toEqual(['create cluster', '2026-11-17 10:14:02', '3.0 s']);
    expect((await call(workdir, 'get', 'runs', '-o', 'wide')).stdout).toContain('ada@desk');
    const json = JSON.parse((await call(workdir, 'get', 'runs', '-o', 'json')).stdout);
    expect(json[2]).toMatchObject({
      id: FAILED.id,
      outcome: 'failed',
      durationMs: 3000,
      steps: { total: 4, done: 1, skipped: 1, failed: 1 },
      goOn: 'kubexm create cluster -f ha.yaml --resume',
    });
    expect(json[0].goOn).toBeUndefined();
  });

  it('shows a run as running while its lock is alive', async () => {
    const workdir = home();
    await put(workdir, DIED);
    const options = { cluster: CLUSTER, what: 'create cluster', run: DIED.id, hosts: [] };
    {
      await using _ = await lockCluster({ ...options, local: localLockStore(lockFolder(workdir, CLUSTER)) });
      expect((await call(workdir, 'get', 'runs')).stdout).toContain('running');
    }
    expect((await call(workdir, 'get', 'runs')).stdout).toContain('died (resume)');
  });

  it('lists a run with a truncated journal and no run info', async () => {
    const workdir = home();
    const { journal, info } = await put(workdir, DIED);
    writeFileSync(journal, readFileSync(journal, 'utf8').slice(0, -20));
    writeFileSync(info, '{"id":');
    const { exit, stdout } = await call(workdir, 'get', 'runs');
    expect(exit).toBe(0);
    expect(stdout).toMatch(/create-cluster .* died \(resume\)/);
  });

  it('reports that there are no runs', async () => {
    expect((await call(home(), 'get', 'runs')).stderr).toContain('No runs on');
  });
});

describe('describe run', () => {
  it('shows the command, progress, failures, rollback and how to resume', async () => {
    const workdir = home();
    await put(workdir, FAILED);
    const { stdout, exit } = await call(workdir, 'describe', 'run', 'latest');
    expect(exit).toBe(0);
    for (const text of [
      'kubexm create cluster -f ha.yaml',
      'ada@desk, process 42, kubexm 0.1.0',
      '2026-11-17 10:14:02, took 3.0 s',
      'create-cluster: 4 steps on 2 hosts',
      'x os.sysctl failed on node2\n    A command failed on node2. `sysctl -p` exited with 1.\n    no such key',
      'Try    Run it manually',
      'Code   COMMAND_FAILED',
      `Rolled back ${node('node2')}`,
      'Slowest     os.sysctl@node1 1.2 s',
      'Resume      kubexm create cluster -f ha.yaml --resume',
    ])
      expect(stdout).toContain(text);
    expect(stdout).toMatch(/node2 +0\/2 {2}failed\nnode1 +2\/2 {2}done/);
  });

  it('prints JSON, and accepts a prefix of an ID', async () => {
    const workdir = home();
    await put(workdir, FAILED);
    await put(workdir, DIED);
    const failed = JSON.parse((await call(workdir, 'describe', 'run', '20261117-10', '-o', 'json')).stdout);
    expect(failed).toMatchObject({
      outcome: 'failed',
      failures: [{ host: 'node2', step: 'os.sysctl', code: 'COMMAND_FAILED', hint: 'Run it manually' }],
      undone: [node('node2')],
      slowest: [{ node: node('node1'), ms: 1200 }],
    });
    const died = JSON.parse((await call(workdir, 'describe', 'run', DIED.id, '-o', 'json')).stdout);
    expect(died.progress).toContainEqual({ host: 'node2', total: 2, through: 0, begun: ['os.sysctl'], state: 'going' });
  });

  it('drops earlier failures after the run was resumed', async () => {
    const workdir = home();
    const resumed: JournalRecord = {
      type: 'resumed',
      run: FAILED.id,
      pipeline: 'create-cluster',
      at: '2026-11-17T11:00:00.000Z',
      fence: 2,
    };
    await put(workdir, {
      ...FAILED,
      records: [
        ...FAILED.records,
        resumed,
        { type: 'done', node: node('node2'), ms: 9 },
        { ...ended('done'), type: 'ended', outcome: 'done', at: '2026-11-17T11:00:02.000Z' },
      ],
    });
    const { stdout } = await call(workdir, 'describe', 'run', 'latest');
    expect(stdout).toContain('Resumed     2026-11-17 11:00:00, took 2.0 s');
    expect(stdout).toContain('2 changed, 1 unchanged, 0 failed');
    expect(stdout).not.toContain('COMMAND_FAILED');
    expect(stdout).not.toContain('Resume ');
  });

  it('lists the runs if the ID matches none or several', async () => {
    const workdir = home();
    await put(workdir, FAILED);
    await put(workdir, DIED);
    const unknown = await call(workdir, 'describe', 'run', 'nix');
    expect(unknown.exit).toBe(10);
    expect(unknown.stderr).toContain(`${DIED.id}, ${FAILED.id}`);
    expect((await call(workdir, 'describe', 'run', '2026')).stderr).toContain('2026 matches 2 runs');
  });
});

describe('logs run', () => {
  it('shows the lines of all hosts or of some, or JSON records', async () => {
    const workdir = home();
    await put(workdir, FAILED);
    const all = await call(workdir, 'logs', 'run', 'latest');
    expect(all.stdout).toContain('10:14:02  node1  os.sysctl  done (1.2 s)\n');
    expect(all.stdout.trimEnd().split('\n')).toHaveLength(7);
    const one = await call(workdir, 'logs', 'run', 'latest', '--host', 'node1');
    expect(one.stdout.trimEnd().split('\n')).toHaveLength(2);
    const json = await call(workdir, 'logs', 'run', 'latest', '--host', 'node2', '-o', 'json');
    expect(
      json.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).event),
    ).toEqual(['failed', 'rolled-back']);
  });

  it('shows how to resume a run that died, also with --follow', async () => {
    const workdir = home();
    const { log } = await put(workdir, DIED);
    writeFileSync(log, `${readFileSync(log, 'utf8')}{"timestamp":"torn`);
    const { exit, stdout, stderr } = await call(workdir, 'logs', 'run', 'latest', '--follow');
    expect(exit).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(3);
    expect(stderr).toContain('This run died. Resume it: kubexm create cluster -f ha.yaml --resume');
  });

  it('follows a running run until it ends', async () => {
    const workdir = home();
    const { log } = await put(workdir, { ...DIED, log: [] });
    const options = { cluster: CLUSTER, what: 'create cluster', run: DIED.id, hosts: [] };
    const lock = await lockCluster({ ...options, local: localLockStore(lockFolder(workdir, CLUSTER)) });
    const following = call(workdir, 'logs', 'run', 'latest', '--follow');
    writeFileSync(
      log,
      `${JSON.stringify({ timestamp: AT, level: 'info', event: 'said', message: 'the last word' })}\n`,
    );
    await lock[Symbol.asyncDispose]();
    expect((await following).stdout).toContain('the last word');
  });
});

describe('--resume', () => {
  const resume = (workdir: string, ...args: readonly string[]) =>
    call(workdir, 'create', 'cluster', '--resume', ...args);

  it('has nothing to resume after a successful run, and exits with 0', async () => {
    const workdir = home();
    await put(workdir, FAILED);
    await put(workdir, DONE);
    const { exit, stderr } = await resume(workdir);
    expect(exit, stderr).toBe(0);
    expect(stderr).toContain(`Nothing to resume: the last run of create cluster (${DONE.id}) succeeded`);
    expect(JSON.parse((await resume(workdir, '-o', 'json')).stdout)).toEqual({
      outcome: 'done',
      exit: 0,
      run: DONE.id,
    });
  });

  it('rejects a run with a corrupt journal, which does not affect other runs', async () => {
    const workdir = home();
    const { journal } = await put(workdir, FAILED);
    writeFileSync(journal, readFileSync(journal, 'utf8').replace('"done"', '"dome"'));
    const damaged = await resume(workdir);
    expect([damaged.exit, damaged.stderr]).toEqual([14, expect.stringContaining('JOURNAL_INVALID')]);
    const list = await call(workdir, 'get', 'runs', '-o', 'json');
    expect(JSON.parse(list.stdout)).toMatchObject([{ id: FAILED.id, outcome: 'damaged' }]);
    await put(workdir, DONE);
    expect((await resume(workdir)).stderr).toContain('Nothing to resume');
  });

  it('rejects a different selection of hosts or tags', async () => {
    const workdir = home();
    await put(workdir, { ...FAILED, selection: '' });
    const part = await resume(workdir, '--nodes', 'node2, node1', '--tags', 'prepare-os');
    expect([part.exit, part.stderr]).toEqual([
      14,
      expect.stringMatching(/covered the whole plan, not --nodes node1,node2 --tags prepare-os[^]*ha\.yaml --resume/),
    ]);
    await put(workdir, { ...DONE, selection: '--nodes node1' });
    const whole = await resume(workdir);
    expect([whole.exit, whole.stderr]).toEqual([14, expect.stringContaining('covered --nodes node1, not the whole')]);
    expect((await resume(workdir, '--nodes', 'node1')).stderr).toContain('Nothing to resume');
  });

  it('fails if another pipeline changed the hosts since, or if there was no run', async () => {
    const workdir = home();
    const none = await resume(workdir);
    expect([none.exit, none.stderr]).toEqual([10, expect.stringContaining('No run of "create cluster" to resume')]);
    await put(workdir, FAILED);
    await put(workdir, { ...DONE, pipeline: 'delete-cluster', command: 'delete cluster' });
    const since = await resume(workdir);
    expect([since.exit, since.stderr]).toEqual([14, expect.stringContaining('RUN_OF_ANOTHER_PIPELINE')]);
  });
});

it('completes the run IDs of the selected cluster', async () => {
  const workdir = home();
  const { info } = await put(workdir, FAILED);
  expect(statSync(info).mode & 0o777).toBe(0o600);
  const { stdout } = await kubexm(['__complete', '--', 'logs', 'run', '-f', FILE, '--workdir', workdir, '']);
  expect(stdout).toBe(`latest\n${FAILED.id}\n:words\n`);
});
