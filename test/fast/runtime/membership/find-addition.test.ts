import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { appliedSpec, keyedDigest } from '../../../../src/config/model/applied.ts';
import type { Cluster, ClusterHost } from '../../../../src/config/model/cluster.ts';
import type { ExecResult } from '../../../../src/connector/connector.ts';
import { findAddition } from '../../../../src/runtime/membership/find-addition.ts';
import { staleMembers } from '../../../../src/runtime/membership/membership.ts';
import { readMembership } from '../../../../src/runtime/membership/read-membership.ts';
import { hostsOf } from '../../../../src/runtime/session/hosts.ts';
import { fakeHost, no, ok } from '../../../fake/fake-host.ts';
import { MEMBERS, recordedCluster, refused } from '../recorded-cluster.ts';

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

/** A working directory with the state of a run that applied this cluster. */
function workdirOf(cluster: Cluster): string {
  const folder = mkdtempSync(join(tmpdir(), 'kubexm-'));
  folders.push(folder);
  mkdirSync(join(folder, '.kubexm', cluster.name), { recursive: true });
  const state = {
    kind: 'ClusterState',
    cluster: cluster.name,
    kubexm: '0.1.0',
    run: 'r',
    created: '',
    applied: '',
    versions: {},
    spec: appliedSpec(cluster, keyedDigest('key')),
    files: {},
  };
  writeFileSync(join(folder, '.kubexm', cluster.name, 'state.json'), JSON.stringify(state), { mode: 0o600 });
  return folder;
}

type Answers = NonNullable<Parameters<typeof recordedCluster>[0]>['answers'];

/** The recorded cluster, whose cluster file got more hosts or other roles since the last run. */
async function changed(change: (hosts: readonly ClusterHost[]) => readonly ClusterHost[], answers: Answers = []) {
  const recorded = await recordedCluster({ answers: [...answers, [/get nodes -o json/, nodeList(1, 2, 3, 4)]] });
  const cluster = { ...recorded.cluster, hosts: change(recorded.cluster.hosts) };
  const reached: string[] = [];
  const session = {
    ...recorded.session,
    cluster,
    hosts: hostsOf(cluster),
    connector: ({ name }: { readonly name: string }) =>
      recorded.cluster.hosts.some((host) => host.name === name) ? recorded.fake(name) : fakeHost(name),
    reach: (host: Parameters<typeof recorded.session.reach>[0]) => {
      reached.push(host.name);
      return recorded.session.reach(host);
    },
  };
  const workdir = workdirOf(recorded.cluster);
  const find = () => findAddition(session, workdir, new AbortController().signal);
  return { session, workdir, reached, find };
}

const added = (hosts: readonly ClusterHost[], host: Partial<ClusterHost>) => [
  ...hosts,
  { ...hosts.at(-1)!, name: 'node9', internalAddresses: ['10.0.0.19'] as const, ...host },
];

const rolesOf = (addition: Awaited<ReturnType<typeof findAddition>>) => Object.fromEntries(addition?.roles ?? []);

describe('the hosts that are added', () => {
  it('are none if the cluster has all of them', async () => {
    const { find } = await changed((hosts) => hosts);
    expect(await find()).toBeUndefined();
  });

  it('are those of the cluster file that the last successful run did not apply, through a running master only', async () => {
    const { find, reached } = await changed((hosts) => added(hosts, { roles: ['worker'] }));
    expect(rolesOf(await find())).toEqual({ node9: ['worker'] });
    expect(new Set(reached)).toEqual(new Set(['node1']));
  });

  it('stay the same when a run was killed after the node had joined', async () => {
    const { find } = await changed(
      (hosts) => added(hosts, { name: 'node9', roles: ['worker'] }),
      [[/get nodes -o json/, ok(JSON.stringify({ items: [nodeObject('node9', '10.0.0.19')] }))]],
    );
    expect(rolesOf(await find())).toMatchObject({ node9: ['worker'] });
  });

  it('include applied hosts whose Node object is missing', async () => {
    const { find } = await changed((hosts) => hosts, [[/get nodes -o json/, nodeList(1, 2, 3)]]);
    expect(rolesOf(await find())).toEqual({ node4: ['worker'] });
  });

  it('join through another master if the first one does not respond', async () => {
    const silent: readonly [RegExp, ExecResult, string][] = [[/kubectl/, refused, 'node1']];
    const { find } = await changed((hosts) => added(hosts, { roles: ['worker'] }), silent);
    expect(await find()).toMatchObject({ master: 'node2' });
  });

  it('never join through a master that is being added', async () => {
    const { find } = await changed((hosts) => {
      const [last] = added(hosts, { roles: ['master'] }).slice(-1);
      return [last!, ...hosts];
    });
    expect(await find()).toMatchObject({ master: 'node1' });
  });

  it.each<readonly [string, Partial<ClusterHost>]>([
    ['NODE_ADDRESS_IN_USE', { roles: ['worker'], internalAddresses: ['10.0.0.2'] }],
    ['API_UNAVAILABLE', { roles: ['worker'] }],
    ['ETCD_MEMBERS_UNKNOWN', { roles: ['worker'] }],
  ])('are refused with %s', async (code, host) => {
    const answers: Answers =
      code === 'API_UNAVAILABLE'
        ? [[/get nodes/, refused]]
        : code === 'ETCD_MEMBERS_UNKNOWN'
          ? [[/member list/, no('Error: context deadline exceeded')]]
          : [];
    const { find } = await changed((hosts) => added(hosts, host), answers);
    await expect(find()).rejects.toMatchObject({ code });
  });

  it('are refused if another node has the name', async () => {
    const { find } = await changed(
      (hosts) => added(hosts, { roles: ['worker'] }),
      [[/get nodes -o json/, ok(JSON.stringify({ items: [nodeObject('node9', '10.0.0.77')] }))]],
    );
    await expect(find()).rejects.toMatchObject({ code: 'NODE_NAME_IN_USE' });
  });

  it('are refused if a worker would become a master', async () => {
    const { find } = await changed((hosts) =>
      hosts.map((host) => (host.name === 'node4' ? { ...host, roles: ['master', 'worker'] as const } : host)),
    );
    await expect(find()).rejects.toMatchObject({ code: 'NODE_ROLE_FIXED' });
  });
});

it('finds nodes and etcd members without a host in the cluster file', async () => {
  const { session, workdir } = await changed(
    (hosts) => hosts.filter(({ name }) => name !== 'node3'),
    [[/member list -w simple/, ok(MEMBERS)]],
  );
  const membership = await readMembership(session, workdir, new AbortController().signal);
  const { nodes, etcd } = staleMembers(membership, session.cluster);
  expect(nodes.map(({ name }) => name)).toEqual(['node3']);
  expect(etcd.map(({ id }) => id)).toEqual(['fd422379fda50e48']);
});

const nodeObject = (name: string, address: string) => ({
  metadata: { name, labels: {} },
  status: { conditions: [{ type: 'Ready', status: 'True' }], addresses: [{ type: 'InternalIP', address }] },
});

const nodeList = (...numbers: readonly number[]) =>
  ok(JSON.stringify({ items: numbers.map((at) => nodeObject(`node${at}`, `10.0.0.${at}`)) }));
