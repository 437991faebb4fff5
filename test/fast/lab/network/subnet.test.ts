import { describe, expect, test } from 'vitest';
import { addressOf, chooseSubnet, subnetNumber, subnetOf } from '../../../../src/lab/network/subnet.ts';

describe('chooseSubnet', () => {
  test('picks the lowest free number', () => {
    expect(chooseSubnet([], [])).toBe(0);
    expect(chooseSubnet([0, 1, 3], [])).toBe(2);
  });

  test('avoids subnets that overlap a route of this computer', () => {
    expect(chooseSubnet([], [{ dst: '10.177.0.0/23' }, { dst: '10.177.2.7' }])).toBe(3);
    expect(chooseSubnet([], [{ dst: '10.177.0.0/24', type: 'local' }])).toBe(1);
  });

  test('ignores the default route and blocking routes', () => {
    expect(chooseSubnet([], [{ dst: 'default' }, { dst: '10.0.0.0/8', type: 'unreachable' }])).toBe(0);
  });

  test('fails if no subnet is free', () => {
    expect(() => chooseSubnet([], [{ dst: '10.0.0.0/8' }])).toThrow('use all of them');
  });
});

test('subnetNumber is the inverse of subnetOf', () => {
  expect(subnetNumber(subnetOf(42))).toBe(42);
  expect(subnetNumber('10.88.0.0/16')).toBeUndefined();
  expect(addressOf(3, 0)).toBe('10.177.3.11');
});
