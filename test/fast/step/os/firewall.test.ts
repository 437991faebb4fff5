import { expect, it } from 'vitest';
import { immutableFields } from '../../../../src/config/model/immutable.ts';
import { firewall } from '../../../../src/step/os/firewall.ts';
import { fakeContext } from '../../../fake/fake-context.ts';
import { fakeHost } from '../../../fake/fake-host.ts';
import { clusterWith } from '../preflight/check-input.ts';

const cluster = clusterWith();

it('disables the firewall of a host without a look at the other hosts', () => {
  const off = {
    ...cluster,
    system: { ...cluster.system, firewall: 'disable' as const },
    get hosts(): never {
      throw new Error('one line for every host of a large cluster');
    },
  };
  const ctx = fakeContext({ name: 'node1', address: '', roles: [] }, fakeHost('node1'));
  expect(firewall(off).parts(ctx)[0]?.key).toBe('undo:nftables:ports');
});

it('computes the immutable fields of a cluster once for all hosts', () => {
  expect(immutableFields(cluster)).toBe(immutableFields(cluster));
});
