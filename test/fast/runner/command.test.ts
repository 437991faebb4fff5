import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Secret } from '../../../src/common/secret.ts';
import { sh } from '../../../src/runner/command.ts';

it('quotes any word for a POSIX shell', () => {
  const word = fc.string({ unit: 'grapheme', maxLength: 30 }).filter((text) => !text.includes('\0'));
  fc.assert(
    fc.property(
      word,
      (text) => execFileSync('/bin/sh', ['-c', sh`printf %s ${text}`.text], { encoding: 'utf8' }) === text,
    ),
    { numRuns: 60, examples: [["a'b"], ['$(id)'], ['`id`'], ['a\nb'], [''], ['*'], ['\\']] },
  );
});

it('embeds commands in commands, and masks secrets', () => {
  const login = sh`login --password ${new Secret("pa'ss")}`;
  const both = sh`${login} && echo ${'a b'} ${7}`;
  expect(both.text).toBe(`login --password 'pa'\\''ss' && echo 'a b' 7`);
  expect(both.display).toBe(`login --password '•••' && echo 'a b' 7`);
});
