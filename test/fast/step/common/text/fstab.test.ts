import { expect, it } from 'vitest';
import { entryIn, withEntry, withoutSwap, withSwap } from '../../../../../src/step/common/text/fstab.ts';

const table =
  '# <file system> <mount point>\nUUID=1 / ext4 errors=remount-ro 0 1\n#UUID=2 /data xfs defaults 0 0\n\nUUID=3 none swap sw 0 0\n';
const data = { source: '/dev/vdb', path: '/data', type: 'xfs', options: 'noatime' };

it('ignores comments', () => {
  expect(entryIn(table, '/')).toEqual({ source: 'UUID=1', path: '/', type: 'ext4', options: 'errors=remount-ro' });
  expect(entryIn(table, '/data')).toBeUndefined();
});

it('adds an entry once, and replaces only the entry of the same mount point', () => {
  const once = withEntry(table, data);
  expect(once).toBe(`${table}/dev/vdb /data xfs noatime 0 0\n`);
  expect(withEntry(once, data)).toBe(once);
  expect(withEntry(once, { ...data, options: 'ro' })).toBe(`${table}/dev/vdb /data xfs ro 0 0\n`);
});

it('escapes spaces', () => {
  const text = withEntry('', { ...data, path: '/my data' });
  expect(text).toBe(String.raw`/dev/vdb /my\040data xfs noatime 0 0` + '\n');
  expect(entryIn(text, '/my data')?.path).toBe('/my data');
});

it('comments out swap entries once, and restores them', () => {
  const text = `${table}# swap was here\n/swap.img\tnone\tswap\tsw\t0 0\n/dev/sdb /srv/swap ext4 defaults 0 0`;
  const off = withoutSwap(text);
  expect(off.split('\n').filter((line) => line.startsWith('# off by kubexm: '))).toEqual([
    '# off by kubexm: UUID=3 none swap sw 0 0',
    '# off by kubexm: /swap.img\tnone\tswap\tsw\t0 0',
  ]);
  expect(withoutSwap(off)).toBe(off);
  expect(withSwap(off)).toBe(text);
});
