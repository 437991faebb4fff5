import { expect, it } from 'vitest';
import { fileDiff } from '../../../../src/cli/format/file-diff.ts';

const added = (line: string) =>
  fileDiff({ path: 'c.yaml', before: 'a: 1\n', after: `a: 1\n${line}\n` })
    .split('\n')
    .at(-1);

it.each([
  ['- { name: a, password: pw, port: 22 }', '- { name: a, password: •••, port: 22 }'],
  ['- {"name": "a", "password": "a\\"b, c", "port": 22}', '- {"name": "a", "password": •••, "port": 22}'],
  ["  sudoPassword: 'it''s' # note", '  sudoPassword: ••• # note'],
  ['  passphrase: a b', '  passphrase: •••'],
  ['  password: { env: NODE_PASSWORD }', '  password: { env: NODE_PASSWORD }'],
  ['  password: *shared', '  password: *shared'],
  ['  privateKeyPath: ~/.ssh/id', '  privateKeyPath: ~/.ssh/id'],
])('shows %j as %j', (line, shown) => expect(added(line)).toBe(`+${shown}`));

it('shows lines without the carriage returns of Windows', () =>
  expect(fileDiff({ path: 'c', before: 'a: 1\r\n', after: 'a: 1\r\nb: 2\r\n' })).toBe(
    '--- c\n+++ c\n@@ -1 +1,2 @@\n a: 1\n+b: 2',
  ));
