import { expect, it } from 'vitest';
import { touchedText } from '../../../../src/cli/format/touched-text.ts';
import type { Role } from '../../../../src/common/host.ts';

const host = (name: string, ...roles: readonly Role[]) => ({ name, address: '10.0.0.1', roles });

it('counts new hosts and the roles of the others', () => {
  const masters = ['m1', 'm2', 'm3'].map((name) => host(name, 'etcd', 'master', 'worker'));
  const changed = new Set(['w9']);
  const text = (touched: Parameters<typeof touchedText>[0]['touched'], total: number) =>
    touchedText({ touched, changed, as: 'new', total });
  expect(text([host('w9', 'worker'), ...masters], 1000)).toBe('1 new + 3 masters, of 1,000');
  expect(text([host('w9', 'worker'), masters[0]!, host('e', 'etcd'), host('l', 'loadbalancer')], 20)).toBe(
    '1 new + 1 master + 1 etcd host + 1 load balancer, of 20',
  );
  expect(text([], 20)).toBe('none, of 20');
});
