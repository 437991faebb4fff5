import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run } from '../../../../src/lab/run.ts';
import { digestFile, writeArchive } from '../../../../src/lab/mirror/archive.ts';
import { withFolders, type TarEntry } from '../../../../src/util/tar.ts';

const folder = await mkdtemp(join(tmpdir(), 'kubexm-tar-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const long = `${'deep/'.repeat(40)}file`;
await writeFile(join(folder, 'program'), 'x'.repeat(70_000));
const entries: readonly TarEntry[] = withFolders([
  { type: 'file', path: 'bin/program', from: join(folder, 'program'), mode: 0o755 },
  { type: 'text', path: 'etc/passwd', text: 'root:x:0:0\n', mode: 0o600 },
  { type: 'text', path: long, text: 'far down', mode: 0o644 },
  { type: 'link', path: 'bin/other', to: 'program' },
  { type: 'link', path: 'bin/far', to: long },
  { type: 'folder', path: 'tmp', mode: 0o1777 },
]);

test('tar extracts the archive with modes, links and long names', async () => {
  const archive = join(folder, 'a.tar.gz');
  const { sha256, size } = await writeArchive(archive, entries);
  expect(await digestFile(archive)).toEqual({ sha256, size });
  const list = await run(['tar', '-tvzf', archive]);
  expect(list).toMatch(/-rwxr-xr-x root\/root +70000 2026-01-01 00:00 bin\/program\n/);
  expect(list).toMatch(/-rw------- .* etc\/passwd\n/);
  expect(list).toMatch(/drwxrwxrwt .* tmp\/\n/);
  expect(list).toContain('bin/other -> program\n');
  expect(list).toContain(`bin/far -> ${long}\n`);
  await run(['tar', '-xzf', archive, '-C', folder]);
  expect(await readFile(join(folder, long), 'utf8')).toBe('far down');
  expect(await readFile(join(folder, 'bin/program'), 'utf8')).toHaveLength(70_000);
});

test('archives are reproducible', async () => {
  const [first, second] = [join(folder, 'one'), join(folder, 'two')];
  expect(await writeArchive(first, entries)).toEqual(await writeArchive(second, entries));
  expect((await readFile(first)).equals(await readFile(second))).toBe(true);
});

test('tarSha256 is the digest of the uncompressed tar', async () => {
  const archive = join(folder, 'b.tar.gz');
  const { tarSha256 } = await writeArchive(archive, entries);
  expect(await run(['sh', '-c', `gzip -dc ${archive} | sha256sum`])).toBe(`${tarSha256}  -\n`);
});
