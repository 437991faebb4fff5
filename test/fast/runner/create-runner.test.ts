import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sh } from '../../../src/runner/command.ts';
import { createRunner } from '../../../src/runner/create-runner.ts';
import { temporaryPath, writeCommand } from '../../../src/runner/write-command.ts';
import { fakeFacts } from '../../fake/fake-runner.ts';
import { connectorIn } from '../connector/local-shell.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kubexm-runner-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('reports the part of the output that the caller selects if a command fails', async () => {
  await using connector = connectorIn(folder);
  const runner = createRunner(connector, fakeFacts('node1'));
  const failed = runner.run(sh`echo progress; echo noise >&2; echo cause >&2; exit 3`, {
    errorOutput: ({ stdout, stderr }) => `${stdout.trim()}, ${stderr.split('\n')[1] ?? ''}`,
  });
  await expect(failed).rejects.toThrow(/exited with 3\.\nprogress, cause$/);
});

it('tells a missing program from an answer', async () => {
  await using connector = connectorIn(folder);
  const runner = createRunner(connector, fakeFacts('node1'));
  expect(await runner.test(sh`true`)).toBe(true);
  expect(await runner.test(sh`false`)).toBe(false);
  expect(await runner.test(sh`exit 125`)).toBe(false);
  await expect(runner.test(sh`no-such-program-here`)).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
  await expect(runner.test(sh`exit 126`)).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
});

it('writes a file that nobody else can read before it is complete', async () => {
  const path = join(folder, 'key');
  const { uid, gid } = userInfo();
  const { text } = writeCommand({ path, mode: 0o644, owner: `${uid}:${gid}` });
  const child = spawn('/bin/sh', ['-c', text], { stdio: ['pipe', 'ignore', 'inherit'] });
  child.stdin.write('secret ');
  await expect
    .poll(() => (existsSync(temporaryPath(path)) ? readFileSync(temporaryPath(path), 'utf8') : ''), { timeout: 30_000 })
    .toBe('secret ');
  expect(statSync(temporaryPath(path)).mode & 0o777).toBe(0o600);
  child.stdin.end('content');
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(readFileSync(path, 'utf8')).toBe('secret content');
  expect(statSync(path).mode & 0o777).toBe(0o644);
});
