import { expect, test } from 'vitest';
import { isVolumeOf, volumesOf } from '../../../../src/lab/machine/volumes.ts';

test('a volume belongs to one lab only, even if another lab name is a prefix', () => {
  const volumes = Object.values(volumesOf('a-node1', 'node2'));
  expect(volumes.every((volume) => isVolumeOf('a-node1', volume))).toBe(true);
  expect(volumes.some((volume) => isVolumeOf('a', volume))).toBe(false);
});
