import { expect, test } from 'vitest';
import { checkLabName, isVolumeOf, volumesOf } from '../../../src/lab/names.ts';

test.each(['a', 'lab', 'my-lab-2', 'abcdefghijklmnopqrst'])('%s is a name', (name) => {
  expect(checkLabName(name)).toBe(name);
});

test.each(['', '-a', 'a-', '1a', 'A', 'a_b', 'a/b', '..', 'abcdefghijklmnopqrstu'])('"%s" is no name', (name) => {
  expect(() => checkLabName(name)).toThrow('1 to 20 letters');
});

test('volumes belong to one lab only, also when names begin alike', () => {
  const volumes = Object.values(volumesOf('a-node1', 'node2'));
  expect(volumes.every((volume) => isVolumeOf('a-node1', volume))).toBe(true);
  expect(volumes.some((volume) => isVolumeOf('a', volume))).toBe(false);
});
