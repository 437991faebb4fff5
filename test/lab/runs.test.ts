import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { labUp, type Lab } from '../../src/lab/up.ts';
import { saveContext } from '../../src/state/contexts.ts';
import { kubexm, type Called } from '../fast/cli/kubexm.ts';
import { labNames, ssh, sshText } from './support.ts';

const named = await labNames();
const name = named('runs');
let lab: Lab;
beforeAll(async () => {
  lab = await labUp({ name, machines: 3 });
});

const clusterFlags = () => ['-f', lab.paths.cluster, '--workdir', lab.paths.folder];
const env = () => ({ KUBEXM_HOME: process.env['KUBEXM_HOME']! });
const call = (...args: readonly string[]): Promise<Called> => kubexm([...args, ...clusterFlags()], env());
/** A create run with a single, simple step. */
const CREATE = ['create', 'cluster', '--tags', 'os.sysctl'];

/** Starts kubexm in the background. */
function start(...args: readonly string[]): {
  readonly child: ChildProcess;
  readonly ended: Promise<Called>;
  output(): string;
} {
  const child = spawn(resolve('bin/kubexm'), [...args, ...clusterFlags()], {
    env: { ...process.env, ...env(), NO_COLOR: '1' },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<Called>((done) =>
    child.once('close', (code) => done({ exit: code ?? -1, stdout, stderr })),
  );
  return { child, ended, output: () => stdout + stderr };
}

/** Makes a program on a machine block when its arguments contain `word`; resolves with a function that unblocks it. */
async function hold(machine: string, program: string, word: string): Promise<() => Promise<unknown>> {
  const script = `#!/bin/sh
case "$*" in *${word}*) touch /run/held; while [ ! -e /run/released ]; do sleep 0.1; done;; esac
exec /usr/bin/env PATH=/usr/sbin:/usr/bin:/sbin:/bin ${program} "$@"`;
  const path = `/usr/local/sbin/${program}`;
  await sshText(
    lab,
    machine,
    `rm -f /run/held /run/released; printf '%s\\n' '${script.replaceAll("'", String.raw`'\''`)}' > ${path}; chmod +x ${path}`,
  );
  return () => sshText(lab, machine, `touch /run/released; /usr/bin/rm -f ${path}`);
}

/** Gives os.sysctl something to do again. */
const unprepare = (machine: string) => sshText(lab, machine, 'rm -f /etc/sysctl.d/99-zz-kubexm.conf');

/** Waits until the program blocks; retries if the machine is too busy for SSH. */
const awaitHeld = (machine: string) => until(async () => (await ssh(lab, machine, 'test -e /run/held')).exit === 0);

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 300_000; !(await condition()); await pause(100))
    if (Date.now() > end) throw new Error(`timed out waiting for: ${String(condition)}`);
}

test('a run can be listed, described and its log read, and its files are private', async () => {
  const { exit, stdout, stderr } = await call(...CREATE, '-o', 'json', '-e', 'hosts.node1.password=canary-77a1');
  expect(exit, stderr).toBe(0);
  const result = JSON.parse(stdout);
  expect(result).toMatchObject({ outcome: 'done', exit: 0, counts: { done: 3, failed: 0 }, failures: [], undone: [] });
  expect((await call('get', 'runs')).stdout).toMatch(new RegExp(`${result.run} +create cluster .* done +3 +3/3 +0`));
  const description = (await call('describe', 'run', 'latest')).stdout;
  expect(description).toContain(`${result.run}`);
  expect(description).toContain('hosts.node1.password=•••');
  expect(description).toMatch(/node2 +1\/1 {2}done/);
  const lines = (await call('logs', 'run', result.run, '--host', 'node2')).stdout.trimEnd().split('\n');
  expect(lines.every((line) => line.includes('node2  os.sysctl'))).toBe(true);
  expect(lines.at(-1)).toMatch(/done \(\d/);
  const folder = join(lab.paths.folder, '.kubexm', name, 'runs', result.run);
  for (const file of ['run.json', 'journal.jsonl', 'log.jsonl', 'plan.txt']) {
    expect(statSync(join(folder, file)).mode & 0o777, file).toBe(0o600);
    expect(readFileSync(join(folder, file), 'utf8'), file).not.toContain('canary');
  }
  const again = await call(...CREATE, '--resume');
  expect([again.exit, again.stderr]).toEqual([0, expect.stringContaining('Nothing to resume')]);
});

test('-c selects the cluster file and working directory by context', async () => {
  await saveContext({ name: 'ours', file: lab.paths.cluster, workdir: lab.paths.folder });
  const by = (...args: readonly string[]) => kubexm(args, env());
  expect((await by('run', 'command', '-c', 'ours', '--nodes', 'node2', '--', 'hostname')).stdout).toBe(
    'node2  node2\n',
  );
  expect((await by('validate', 'cluster', '-c', 'ours')).stdout).toContain('is valid');
  expect((await by('get', 'runs', '-c', 'ours')).stdout).toContain('create cluster');
  expect((await by('get', 'runs', '-c', 'theirs')).stderr).toContain('CONTEXT_NOT_FOUND');
});

test('Ctrl-C waits for running steps, a second operator is rejected, and --resume continues', async () => {
  const release = await hold('node2', 'rm', '99-zz-kubexm.conf');
  const first = start('delete', 'cluster', '--yes');
  await awaitHeld('node2');
  const following = start('logs', 'run', 'latest', '--follow');
  await until(() => following.output().includes('os.sysctl.undo'));
  expect((await call('get', 'runs')).stdout).toMatch(/delete cluster .* running/);
  const second = await call(...CREATE, '-o', 'json');
  expect(second.exit).toBe(15);
  expect(JSON.parse(second.stdout)).toMatchObject({ outcome: 'refused', exit: 15, error: { code: 'LOCKED' } });
  expect(second.stdout).toMatch(/has been running delete cluster since/);

  first.child.kill('SIGINT');
  await until(() => first.output().includes('Waiting for the running steps to finish'));
  await release();
  const ended = await first.ended;
  expect(ended.exit, ended.stderr).toBe(130);
  expect(ended.stderr).toMatch(
    /Interrupted after[^]*State +\d+ steps? not started\.[^]*Resume +kubexm delete cluster .*--resume/,
  );
  expect((await following.ended).stdout).toContain('delete-cluster: interrupted');
  expect((await call('get', 'runs')).stdout).toMatch(/delete cluster .* interrupted/);

  const resumed = await call('delete', 'cluster', '--yes', '--resume');
  expect(resumed.exit, resumed.stderr).toBe(0);
  expect(JSON.parse((await call('get', 'runs', '-o', 'json')).stdout)).toMatchObject([
    { command: 'delete cluster', outcome: 'done', resumed: [expect.any(String)] },
    { command: 'create cluster', outcome: 'done' },
  ]);
});

test('a second Ctrl-C kills running steps, and the next run mentions --resume', async () => {
  const release = await hold('node3', 'sysctl', '99-zz-kubexm.conf');
  const run = start(...CREATE, '-o', 'json');
  await awaitHeld('node3');
  run.child.kill('SIGINT');
  await until(() => run.output().includes('Waiting for the running steps to finish'));
  run.child.kill('SIGINT');
  const { exit, stdout } = await run.ended;
  await release();
  expect(exit).toBe(130);
  expect(JSON.parse(stdout)).toMatchObject({
    outcome: 'interrupted',
    inFlight: [expect.stringMatching(/os\.sysctl@node3$/)],
  });
  const next = await call(...CREATE);
  expect(next.exit, next.stderr).toBe(0);
  expect(next.stderr).toMatch(/The last run \(\S+\) was interrupted. Use --resume to continue it/);
});

test('a failed step is reported with its command, output, rollback and how to resume', async () => {
  await unprepare('node1');
  const broken = '#!/bin/sh\necho sysctl: no such key >&2; exit 4';
  await sshText(lab, 'node1', `printf '${broken}\\n' > /usr/local/sbin/sysctl; chmod +x /usr/local/sbin/sysctl`);
  const { exit, stderr } = await call(...CREATE);
  const kept = JSON.parse((await call(...CREATE, '--no-rollback', '-o', 'json')).stdout);
  expect(kept).toMatchObject({
    exit: 12,
    undone: [],
    notUndone: [{ node: expect.stringMatching(/os\.sysctl@node1$/) }],
  });
  await sshText(lab, 'node1', 'rm /usr/local/sbin/sysctl');
  expect(exit, stderr).toBe(12);
  expect(stderr).toContain(`x os.sysctl failed on node1 (${lab.machines[0]!.address})`);
  expect(stderr).toMatch(/`sysctl .*` exited with 4\.\n {2}sysctl: no such key\n/);
  expect(stderr).toMatch(
    /State +Task prepare-os was rolled back on [^]*Resume +kubexm create [^]*Code +COMMAND_FAILED\n +Log +\S+log\.jsonl/,
  );
  const id = /runs\/([^/\s]+)\/log\.jsonl/.exec(stderr)![1]!;
  const { failures, undone } = JSON.parse((await call('describe', 'run', id, '-o', 'json')).stdout);
  expect(failures).toMatchObject([{ host: 'node1', step: 'os.sysctl', code: 'COMMAND_FAILED' }]);
  expect(undone.length).toBeGreaterThan(0);
  const resumed = await call(...CREATE, '--resume');
  expect(resumed.exit, resumed.stderr).toBe(0);
});

test('a killed run is shown as died and can be resumed', async () => {
  await unprepare('node2');
  const release = await hold('node2', 'sysctl', '99-zz-kubexm.conf');
  const run = start(...CREATE);
  await awaitHeld('node2');
  run.child.kill('SIGKILL');
  await run.ended;
  expect((await call('get', 'runs')).stdout).toMatch(/create cluster .* died \(resume\)/);
  expect((await call('logs', 'run', 'latest', '--follow')).stderr).toContain('This run died. Resume it: kubexm');
  await release();
  const resumed = await call(...CREATE, '--resume');
  expect(resumed.exit, resumed.stderr).toBe(0);
});

test('run task runs one task with the login flags, and finds nothing to do the second time', async () => {
  await unprepare('node2');
  const login = ['--ssh-user', 'root', '-i', join(lab.paths.folder, 'id_ed25519')];
  const task = ['run', 'task', 'prepare-os', '--nodes', 'node2', '--tags', 'os.sysctl', ...login];
  const wrong = ['-e', 'hosts.node2.user=nobody', '-e', 'hosts.node2.privateKeyPath=/nonexistent'];
  const first = await call(...task, ...wrong);
  expect(first.exit, first.stderr).toBe(0);
  expect(first.stderr).toMatch(/os\.sysctl +done/);
  expect((await call(...task)).stderr).toContain('Nothing to do');
  const unknown = await call('run', 'task', 'prepare-tea');
  expect(unknown.stderr).toContain('TASK_NOT_FOUND');
  expect(unknown.exit).toBe(10);
});

test('an unwritable metrics file is reported before anything is changed', async () => {
  await Promise.all(lab.machines.map((each) => unprepare(each.name)));
  const path = join(lab.paths.folder, 'metrics.prom');
  const none = await call(...CREATE, '--metrics-file', join(path, 'no-folder'));
  expect(none.exit).not.toBe(0);
  expect(none.stderr).toContain('FILE_UNWRITABLE');
  expect(await sshText(lab, 'node1', 'ls /etc/sysctl.d')).not.toContain('kubexm');
  expect((await call(...CREATE, '--metrics-file', path, '--nodes', 'node3')).exit).toBe(0);
  expect(readFileSync(path, 'utf8')).toMatch(/^kubexm_.*os\.sysctl.* \d/m);
  await unprepare('node3');
});
