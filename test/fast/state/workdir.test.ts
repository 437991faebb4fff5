import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ensureStateFolder } from '../../../src/state/workdir.ts';
import { home } from '../cli/kubexm.ts';

it('git ignores the folder with private keys, and other users cannot open it', async () => {
  const workdir = home();
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: workdir, encoding: 'utf8' });
  git('init', '-q');
  mkdirSync(join(workdir, '.kubexm', 'prod'), { recursive: true, mode: 0o755 });
  writeFileSync(join(workdir, '.kubexm', 'prod', 'ca.key'), 'key');
  expect(git('status', '--porcelain')).toContain('.kubexm');
  await ensureStateFolder(workdir);
  expect(git('status', '--porcelain')).toBe('');
  expect(statSync(join(workdir, '.kubexm')).mode & 0o777).toBe(0o700);
});

it('a changed .gitignore is kept', async () => {
  const workdir = home();
  await ensureStateFolder(workdir);
  const path = join(workdir, '.kubexm', '.gitignore');
  writeFileSync(path, '*\n!prod/state.json\n');
  await ensureStateFolder(workdir);
  expect(readFileSync(path, 'utf8')).toBe('*\n!prod/state.json\n');
});
