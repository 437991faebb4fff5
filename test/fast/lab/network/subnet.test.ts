import { describe, expect, test } from 'vitest';
import { addressOf, chooseSubnet, subnetNumber, subnetOf } from '../../../../src/lab/network/subnet.ts';

describe('chooseSubnet', () => {
  test('takes the first that is free', () => {
    expect(chooseSubnet([], [])).toBe(0);
    expect(chooseSubnet([0, 1, 3], [])).toBe(2);
  });

  test('goes round what this computer has a way to, whatever its size', () => {
    expect(chooseSubnet([], [{ dst: '10.177.0.0/23' }, { dst: '10.177.2.7' }])).toBe(3);
    expect(chooseSubnet([], [{ dst: '10.177.0.0/24', type: 'local' }])).toBe(1);
  });

  test('does not mind the default route and routes that lead nowhere', () => {
    expect(chooseSubnet([], [{ dst: 'default' }, { dst: '10.0.0.0/8', type: 'unreachable' }])).toBe(0);
  });

  test('says so when none is left', () => {
    expect(() => chooseSubnet([], [{ dst: '10.0.0.0/8' }])).toThrow('all are in use');
  });
});

test('a subnet is found again from its text', () => {
  expect(subnetNumber(subnetOf(42))).toBe(42);
  expect(subnetNumber('10.88.0.0/16')).toBeUndefined();
  expect(addressOf(3, 0)).toBe('10.177.3.11');
});
