import { expect, test } from 'vitest';
import { checkLabName } from '../../../src/lab/names.ts';

test.each(['a', 'lab', 'my-lab-2', 'abcdefghijklmnopqrst'])('%s is a valid lab name', (name) => {
  expect(checkLabName(name)).toBe(name);
});

test.each(['', '-a', 'a-', '1a', 'A', 'a_b', 'a/b', '..', 'abcdefghijklmnopqrstu'])(
  'rejects the lab name "%s"',
  (name) => {
    expect(() => checkLabName(name)).toThrow('1 to 20 characters');
  },
);
