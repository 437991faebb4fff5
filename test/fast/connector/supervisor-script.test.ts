import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newMarker } from '../../../src/connector/framing.ts';
import { sealScript, shellCommand } from '../../../src/connector/shell-command.ts';
import { ROOT_FOLDERS, supervisorScript, type SupervisedScript } from '../../../src/connector/supervisor-script.ts';
import { runLocally } from './local-shell.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kubexm-supervisor-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const supervised = (script: string, extra: Partial<SupervisedScript> = {}): SupervisedScript => ({
  id: 'one',
  marker: newMarker(),
  script,
  stdin: undefined,
  asRoot: true,
  rootFolders: [join(folder, 'run')],
  started: false,
  mayBeStarting: false,
  received: { stdout: 0, stderr: 0 },
  sweep: false,
  ...extra,
});

/** Puts a program before the real one on the PATH. */
function shim(name: string, text: string): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
  chmodSync(join(bin, name), 0o755);
  return `${bin}:${process.env['PATH']}`;
}

const log = () => (existsSync(join(folder, 'log')) ? readFileSync(join(folder, 'log'), 'utf8') : '');

it('does not run a script again that was started before and whose state is gone', async () => {
  const run = supervised(`echo ran >>${folder}/log`, { started: true });
  const { stdout } = await runLocally(supervisorScript(run), { stdin: 'done\n' });
  expect(stdout).toBe(`${run.marker} lost gone\n`);
  expect(log()).toBe('');
});

it('does not run a script twice that is sent twice', async () => {
  const run = supervised(`echo ran >>${folder}/log; echo output`);
  // The first connection is lost before it could report the end.
  await runLocally(supervisorScript(run), { stdin: 'bye\n' });
  const again = supervisorScript({ ...run, mayBeStarting: true });
  await expect
    .poll(async () => (await runLocally(again, { stdin: 'more\n' })).stdout, { timeout: 30_000 })
    .toBe(`${run.marker} started \noutput\n${run.marker} exit 0\n`);
  expect(log()).toBe('ran\n');
});

it('reports a script that did not arrive completely as lost, and does not run it', async () => {
  // The shim ends the input early, as a lost connection does.
  const path = shim('setsid', 'head -c 20 | exec /usr/bin/setsid "$@"');
  const run = supervised(`echo ran >>${folder}/log; echo ${'x'.repeat(100)}`);
  const text = supervisorScript(run);
  await runLocally(text, { stdin: 'bye\n', env: { PATH: path } });
  const again = supervisorScript({ ...run, mayBeStarting: true });
  await expect
    .poll(async () => (await runLocally(again, { stdin: 'more\n' })).stdout, { timeout: 30_000 })
    .toContain(`${run.marker} lost killed`);
  expect(log()).toBe('');
});

it.each(['/bin/sh', '/bin/bash'])('keeps the text of a script in memory under %s', async (shell) => {
  // Larger than a pipe: bash writes a here-document of this size to a file.
  const script = `secret=${'s'.repeat(100_000)}; echo "\${#secret}"`;
  const path = shim('setsid', `ls -l /proc/$$/fd >>${folder}/log; exec /usr/bin/setsid "$@"`);
  const run = supervised(script);
  const { stdout } = await runLocally(supervisorScript(run), {
    shell,
    stdin: 'more\nmore\n',
    env: { PATH: path, TMPDIR: folder },
  });
  expect(stdout).toContain(`${run.marker} started 1`);
  const open = log()
    .split('\n')
    .flatMap((line) => / -> (.*)$/.exec(line)?.[1] ?? [])
    .filter((target) => !/^(pipe|socket|anon_inode):|^\/dev\//.test(target));
  expect(open.filter((target) => !/\/(out|err|log)$|\/bin\/setsid$|^\/proc\//.test(target))).toEqual([]);
});

it('ends a script and its processes when told to stop', async () => {
  const run = supervised('sleep 87654 & echo $! $$; sleep 87654');
  const { stdout } = await runLocally(supervisorScript(run), { stdin: 'more\nstop\n' });
  expect(stdout).toContain(`${run.marker} stopped`);
  expect(readdirSync(join(folder, 'run'))).toEqual([]);
});

it.each([1, 20, 60])('runs no script whose last %i bytes did not arrive', async (missing) => {
  const marker = newMarker();
  const sealed = sealScript(`echo ran >>${folder}/log\n: ${'x'.repeat(100)}`, marker, { isLast: true });
  await runLocally(shellCommand({ marker }), { stdin: sealed.slice(0, -missing) });
  expect(log()).toBe('');
  await runLocally(shellCommand({ marker }), { stdin: sealed });
  expect(log()).toBe('ran\n');
});

it('keeps its state where other users of the host cannot look', async () => {
  const run = supervised('umask', { rootFolders: [join(folder, 'kubexm', 'run')] });
  const { stdout } = await runLocally(`umask 022; ${supervisorScript(run)}`, { stdin: 'bye\n' });
  expect(stdout).toContain('started');
  for (const path of ['kubexm', 'kubexm/run', 'kubexm/run/one'])
    expect(statSync(join(folder, path)).mode & 0o777).toBe(0o700);
  // The script itself creates files as usual.
  await expect.poll(() => readFileSync(join(folder, 'kubexm/run/one/out'), 'utf8')).toBe('0022\n');
});

it('closes the folder that an earlier version left open', () => {
  const script = supervisorScript(supervised('true', { rootFolders: ROOT_FOLDERS, sweep: true }));
  expect(script).toContain('chmod 700 /var/lib/kubexm 2>/dev/null; (find');
});
