import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pc from 'picocolors';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { descriptionJson } from '../../../../src/cli/format/cluster-json.ts';
import { descriptionText } from '../../../../src/cli/format/cluster-text.ts';
import { nodeHints, nodeTable } from '../../../../src/cli/format/node-text.ts';
import { yamlText } from '../../../../src/cli/format/structured.ts';
import { table } from '../../../../src/cli/format/table.ts';
import { appliedSpec, keyedDigest } from '../../../../src/config/model/applied.ts';
import { describeCluster } from '../../../../src/runtime/inspect/describe-cluster.ts';
import { listNodes } from '../../../../src/runtime/inspect/list-nodes.ts';
import { ok } from '../../../fake/fake-host.ts';
import { home } from '../../cli/kubexm.ts';
import { MEMBERS, NOW, refused, recordedCluster, type Overrides } from '../recorded-cluster.ts';

const PLAIN = pc.createColors(false);
const signal = new AbortController().signal;
const golden = (name: string) => `../../../golden/cluster/${name}`;

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW }));
afterEach(() => void vi.useRealTimers());

async function described(overrides: Overrides = {}) {
  const { session, cluster } = await recordedCluster(overrides);
  const workdir = home();
  const folder = join(workdir, '.kubexm', 'prod');
  mkdirSync(folder, { recursive: true });
  const state = {
    kind: 'ClusterState',
    cluster: 'prod',
    kubexm: '0.1.0',
    run: '20261016-095500-3f9a',
    created: '2026-10-16T10:00:00.000Z',
    applied: '2026-10-16T10:05:00.000Z',
    versions: { flannel: '0.28.9' },
    spec: appliedSpec(cluster, keyedDigest('key')),
    files: {},
  };
  writeFileSync(join(folder, 'state.json'), JSON.stringify(state));
  return describeCluster(session, { workdir, clusterFlag: '-c prod', signal });
}

it('describes a cluster as text', async () => {
  const text = descriptionText(await described({ dead: ['node3'] }), PLAIN);
  await expect(`${text}\n`).toMatchFileSnapshot(golden('describe.txt'));
});

it('describes a cluster as YAML', async () => {
  const found = await described({ dead: ['node3'] });
  await expect(`${yamlText(descriptionJson(found))}\n`).toMatchFileSnapshot(golden('describe.yaml'));
});

it('describes an unreachable cluster', async () => {
  const found = await described({ dead: ['node1', 'node2', 'node3', 'node4'] });
  expect(found.status).toBe('Unreachable');
  const text = descriptionText(found, PLAIN);
  expect(text).toContain('Kubernetes Version:  v1.35.4 (from the cluster file)');
  expect(text).toContain('- node1 (10.0.0.1)  [Unknown]  no API server responded');
  expect(text).toMatch(/HostsReachable +False/);
  expect(text).toMatch(/NodesReady +Unknown/);
});

const listed = async (overrides: Overrides = {}) =>
  listNodes((await recordedCluster(overrides)).session, home(), signal);

it.each([false, true])('lists nodes and the hosts of the cluster file, wide: %s', async (wide) => {
  const { nodes, masterErrors } = await listed();
  expect(masterErrors.size).toBe(0);
  const text = table(...nodeTable(nodes, wide, PLAIN));
  await expect(`${text}\n`).toMatchFileSnapshot(golden(wide ? 'nodes-wide.txt' : 'nodes.txt'));
});

it('suggests how to add and remove nodes that differ from the cluster file', async () => {
  const list = await listed();
  expect(nodeHints({ ...list, removedHosts: ['node5'] }, '-c prod')).toEqual([
    'Not in the cluster yet: node4. Add with: kubexm add nodes -c prod',
    'Not in the cluster file: old-worker. Remove with: kubexm delete nodes -c prod --nodes old-worker',
    'Removed, but not reset: node5. Reset with: kubexm delete nodes -c prod --cleanup node5',
  ]);
  expect(nodeHints(await listed({ answers: [[/get nodes/, refused]] }), '-c prod')).toEqual([]);
});

it('shows etcd members without a host, and learners', async () => {
  const members = `${MEMBERS.replace(/(node3.*)false/, '$1true')}aa11, unstarted, , https://10.0.0.9:2380, , true\n`;
  const text = descriptionText(await described({ answers: [[/member list/, ok(members)]] }), PLAIN);
  expect(text).toContain('- node3  [Healthy]  learner, v3.6.6, 4.1 MB');
  expect(text).toContain('- 10.0.0.9  [does not respond]  learner, member aa11 without a host in the cluster file');
});

it('lists nodes in one round trip to one master', async () => {
  const recorded = await recordedCluster();
  await listNodes(recorded.session, home(), signal);
  expect(recorded.cluster.hosts.map(({ name }) => recorded.fake(name).roundTrips)).toEqual([1, 0, 0, 0]);
});

it('queries the next master if one is unreachable', async () => {
  const { nodes, masterErrors } = await listed({ dead: ['node1'] });
  expect(masterErrors.size).toBe(0);
  expect(nodes.find(({ name }) => name === 'node1')?.status).toBe('Ready');
});

it('reports the error of each master', async () => {
  const { nodes, masterErrors } = await listed({ dead: ['node1'], answers: [[/get nodes/, refused]] });
  expect(Object.fromEntries(masterErrors)).toEqual({
    node1: 'node1 is unreachable',
    node2: expect.stringContaining('was refused'),
    node3: expect.stringContaining('was refused'),
  });
  expect(nodes.map(({ status }) => status)).toEqual(['Unknown', 'Unknown', 'Unknown', 'Unknown']);
});

it('stops at once when aborted', async () => {
  const recorded = await recordedCluster();
  recorded.fake('node1').fault(/get nodes/, { delayMs: 60_000 });
  const controller = new AbortController();
  const listing = listNodes(recorded.session, home(), controller.signal);
  controller.abort();
  await expect(listing).rejects.toThrow();
});
