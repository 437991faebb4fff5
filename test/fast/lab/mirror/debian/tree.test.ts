import { expect, test } from 'vitest';
import { dependencies } from '../../../../../src/lab/mirror/debian/tree.ts';

test('parses dependencies and picks the available alternative', () => {
  const archives = new Map(['libc6', 'libssl3', 'mawk', 'zlib1g'].map((name) => [name, `${name}.deb`]));
  const fields = 'Depends: libc6 (>= 2.34), gawk | mawk, zlib1g:amd64, nowhere\nPre-Depends: libssl3 (>= 3.0.0)\n';
  expect(dependencies(fields, archives)).toEqual(['libc6', 'mawk', 'zlib1g', 'libssl3']);
});
