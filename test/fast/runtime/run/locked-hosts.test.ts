import { expect, it } from 'vitest';
import type { Host, Role } from '../../../../src/common/host.ts';
import { chain } from '../../../../src/plan/fragment.ts';
import { toGraph } from '../../../../src/plan/to-graph.ts';
import { lockedHosts } from '../../../../src/runtime/run/locked-hosts.ts';
import { LOCAL } from '../../../../src/common/host.ts';
import { hostsOf } from '../../../fake/fake-context.ts';
import { fakeStep } from '../../../fake/fake-step.ts';

const host = (name: string, ...roles: Role[]): Host => ({ name, address: '10.0.0.1', roles });
const all = [host('worker1', 'worker'), host('worker2', 'worker'), host('etcd1', 'etcd'), host('master1', 'master')];
const lockedFor = (...names: readonly string[]) => {
  const hosts = [...all, LOCAL].filter(({ name }) => names.includes(name));
  return lockedHosts(hostsOf(all), toGraph('p', chain(hosts, [fakeStep('x.0')]))).map(({ name }) => name);
};

it('two runs on different hosts lock the control plane and etcd hosts, in the same order', () => {
  expect(lockedFor('worker1')).toEqual(['etcd1', 'master1', 'worker1']);
  expect(lockedFor('master1')).toEqual(['etcd1', 'master1']);
  expect(lockedFor('worker1', 'worker2', 'etcd1', 'master1')).toEqual(['etcd1', 'master1', 'worker1', 'worker2']);
});

it('a run on this machine alone locks no host', () => {
  expect(lockedFor('local')).toEqual([]);
});
