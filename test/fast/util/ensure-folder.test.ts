import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ensureFolder } from '../../../src/util/ensure-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'kubexm-folder-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('creates a folder and its parents, and accepts existing ones', async () => {
  const path = join(folder, 'a/b/c');
  await ensureFolder(path, 0o700);
  await ensureFolder(path, 0o700);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

it('reports a file in the way', async () => {
  writeFileSync(join(folder, 'file'), '');
  await expect(ensureFolder(join(folder, 'file'), 0o700)).rejects.toMatchObject({ code: 'FILE_UNWRITABLE' });
  await expect(ensureFolder(join(folder, 'file/below'), 0o700)).rejects.toMatchObject({ code: 'FILE_UNWRITABLE' });
});

it('fails where the file system allows no new folders', async () => {
  await expect(ensureFolder('/proc/kubexm/below', 0o700)).rejects.toMatchObject({ code: 'FILE_UNWRITABLE' });
});

it('allows concurrent callers to create the same folders', async () => {
  const paths = Array.from({ length: 40 }, (_, at) => join(folder, `many/at/once/${at % 4}/${at}`));
  await Promise.all(paths.map((path) => ensureFolder(path, 0o700)));
  expect(paths.every((path) => statSync(path).isDirectory())).toBe(true);
});
