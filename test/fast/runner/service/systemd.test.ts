import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { systemd } from '../../../../src/runner/service/systemd.ts';
import { fakeHost, ok } from '../../../fake/fake-host.ts';
import { fakeRunner } from '../../../fake/fake-runner.ts';

const folder = mkdtempSync(join(tmpdir(), 'kubexm-systemd-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the command that starts a unit with a systemctl that reports these properties, and counts how often it is asked. */
async function start(...properties: readonly string[]) {
  const asked = join(folder, 'asked');
  const program = join(folder, 'systemctl');
  writeFileSync(asked, '');
  writeFileSync(
    program,
    `#!/bin/sh\n[ "$1" != show ] || { echo x >>${asked}; printf '%s\\n' ${properties.join(' ')}; }\n`,
  );
  chmodSync(program, 0o755);
  const host = fakeHost('a');
  let script = '';
  host.answer(/reset-failed/, ({ input }) => ((script = input), ok()));
  await systemd(fakeRunner(host)).start('x.service');
  const env = { PATH: `${folder}:${process.env['PATH']}` };
  const run = () => execFileSync('sh', ['-c', script], { env, stdio: 'pipe' });
  return { run, asked: () => readFileSync(asked, 'utf8').length / 2 };
}

describe('a started unit', () => {
  it('is watched if systemd does not know when it is ready', async () => {
    const { run, asked } = await start('Type=simple', 'ActiveState=active', 'SubState=running', 'NRestarts=0');
    run();
    expect(asked()).toBe(10);
  });

  it('is not watched if it reports that it is ready', async () => {
    const { run, asked } = await start('Type=notify', 'ActiveState=active', 'SubState=running', 'NRestarts=0');
    run();
    expect(asked()).toBe(1);
  });

  it('fails if it is not running or was restarted', async () => {
    for (const state of [
      ['ActiveState=activating', 'SubState=auto-restart', 'NRestarts=0'],
      ['ActiveState=active', 'SubState=running', 'NRestarts=1'],
    ]) {
      const { run } = await start('Type=notify', ...state);
      expect(run).toThrow();
    }
  });
});
