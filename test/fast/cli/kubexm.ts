import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';

/** The result of a call. */
export interface Called {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A directory that is deleted after the test. */
export function home(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kubexm-home-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs bin/kubexm in a child process, with empty home directories unless `env` sets others. */
export function kubexm(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = '.',
): Promise<Called> {
  const empty = mkdtempSync(join(tmpdir(), 'kubexm-home-'));
  const homes = { HOME: empty, KUBEXM_HOME: join(empty, '.kubexm') };
  const options = { cwd, env: { ...process.env, ...homes, NO_COLOR: '1', ...env } };
  return new Promise((done) => {
    execFile(resolve('bin/kubexm'), [...args], options, (error, stdout, stderr) => {
      rmSync(empty, { recursive: true, force: true });
      done({ exit: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}
