import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import '../../own-home.ts';
import { checkReplaceable, replaceClusterFile } from '../../../src/state/cluster-file.ts';

const NOW = new Date('2026-11-18T08:15:00.123Z');

describe('a changed cluster file', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kubexm-file-'));
    path = join(folder, 'cluster.yaml');
    writeFileSync(path, 'a: 1\n');
  });

  const replace = (before: string, after: string) => replaceClusterFile({ path, before, after }, NOW);

  it('leaves the old one beside it', async () => {
    chmodSync(path, 0o640);
    const backup = await replace('a: 1\n', 'a: 2\n');
    expect(backup).toBe(`${path}.bak-20261118T081500Z`);
    expect([readFileSync(path, 'utf8'), readFileSync(backup, 'utf8')]).toEqual(['a: 2\n', 'a: 1\n']);
    expect([statSync(path).mode & 0o777, statSync(backup).mode & 0o777]).toEqual([0o640, 0o640]);
    expect(await replace('a: 2\n', 'a: 3\n')).toBe(`${path}.bak-20261118T081500Z-2`);
    expect(readdirSync(folder)).toHaveLength(3);
  });

  it('keeps a mode that the umask would restrict', async () => {
    chmodSync(path, 0o666);
    await replace('a: 1\n', 'a: 2\n');
    expect(statSync(path).mode & 0o777).toBe(0o666);
  });

  it('is still reached through its symlink', async () => {
    const link = join(folder, 'link.yaml');
    symlinkSync('cluster.yaml', link);
    const backup = await replaceClusterFile({ path: link, before: 'a: 1\n', after: 'a: 2\n' }, NOW);
    expect(backup).toContain('cluster.yaml.bak-');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(path, 'utf8')).toBe('a: 2\n');
  });

  it.each([
    ['UTF-8 with a byte order mark', Buffer.from('\uFEFFa: ü\n')],
    ['UTF-16', Buffer.from('\uFEFFa: ü\n', 'utf16le')],
  ])('keeps its encoding: %s', async (_, bytes) => {
    writeFileSync(path, bytes);
    await replace('a: ü\n', 'a: ö\n');
    const encoding = bytes[0] === 0xff ? 'utf16le' : 'utf8';
    expect(readFileSync(path, encoding)).toBe('\uFEFFa: ö\n');
  });

  it('is not overwritten if another process changed it', async () => {
    writeFileSync(path, 'a: 5\n');
    await expect(replace('a: 1\n', 'a: 2\n')).rejects.toMatchObject({ code: 'CLUSTER_FILE_CHANGED' });
    expect(readFileSync(path, 'utf8')).toBe('a: 5\n');
    expect(readdirSync(folder)).toEqual(['cluster.yaml']);
  });

  it('is changed by one of two processes only', async () => {
    const both = await Promise.allSettled([replace('a: 1\n', 'a: 2\n'), replace('a: 1\n', 'a: 3\n')]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('must be a regular file', async () => {
    await expect(checkReplaceable('/dev/null')).rejects.toMatchObject({ code: 'FILE_UNWRITABLE' });
    await checkReplaceable(path);
  });
});
