import { describe, expect, it } from 'vitest';
import { loadCluster } from '../../../../src/config/load/load.ts';
import type { Cluster } from '../../../../src/config/model/cluster.ts';
import { createClusterPipeline } from '../../../../src/pipeline/cluster/create.ts';
import { deleteNodesPipeline, type Removal } from '../../../../src/pipeline/nodes/delete.ts';
import { nodesOf } from '../../../../src/plan/graph.ts';
import { outline } from '../../../../src/plan/outline.ts';
import { plan } from '../../../../src/runtime/plan/plan.ts';
import { fakeAssets } from '../../../fake/fake-assets.ts';
import { binary, ETCD, kubeadm, touchedBy } from './ha-cluster.ts';

const DRAIN = { timeoutMs: 1, gracePeriodSeconds: undefined, force: false, deleteEmptyDirData: false, wait: true };

function removalOf(cluster: Cluster, leaving: readonly string[], more: Partial<Removal> = {}): Removal {
  const hosts = cluster.hosts.filter(({ name }) => !leaving.includes(name));
  const first = hosts.find(({ roles }) => roles.includes('master'))!.name;
  const firstMaster = leaving.includes(cluster.firstMaster) ? first : cluster.firstMaster;
  return {
    after: { ...cluster, hosts, firstMaster },
    leaving,
    drained: leaving,
    reset: leaving,
    master: firstMaster,
    etcdHost: hosts.find(({ roles }) => roles.includes(cluster.etcd.type === 'kubexm' ? 'etcd' : 'master'))!.name,
    vipHost: undefined,
    ...more,
  };
}

const graphOf = (cluster: Cluster, leaving: readonly string[], more?: Partial<Removal>) =>
  plan(deleteNodesPipeline(removalOf(cluster, leaving, more), DRAIN), cluster, fakeAssets(cluster));

const stepsOf = (cluster: Cluster, leaving: readonly string[], more?: Partial<Removal>) =>
  nodesOf(graphOf(cluster, leaving, more)).map(({ step, host }) => ({ step: step.name, host: host.name }));

const touched = (cluster: Cluster, leaving: readonly string[], more?: Partial<Removal>) =>
  touchedBy(graphOf(cluster, leaving, more));

describe('the plan of delete nodes', () => {
  it.each<readonly [string, () => Promise<Cluster>, readonly string[]]>([
    ['worker-kubeadm', () => kubeadm(), ['node5']],
    ['worker-kubexm', () => binary(), ['node5']],
    ['first-master-kubeadm', () => kubeadm(), ['node1']],
    ['two-masters-kubexm', () => binary(), ['node2', 'node3']],
    ['etcd-kubeadm', () => kubeadm(ETCD, 'roleGroups.etcd=["node1","node4","node5"]'), ['node4']],
  ])('is the expected one: %s', async (name, load, leaving) => {
    await expect(`${outline(graphOf(await load(), leaving))}\n`).toMatchFileSnapshot(
      `../../../golden/plan/delete-${name}.txt`,
    );
  });

  it('removes etcd members in the order of the removal, which begins with unhealthy ones', async () => {
    const nodes = nodesOf(graphOf(await kubeadm(), ['node3', 'node2']));
    const { step } = nodes.find((node) => node.step.name === 'etcd.remove-member')!;
    expect(step.summary).toBe('Remove the etcd members of node3, node2');
  });

  it('undoes every step that create cluster ran on the host', async () => {
    for (const [load, leaving] of [
      [kubeadm, 'node5'],
      [binary, 'node5'],
      [kubeadm, 'node3'],
      [binary, 'node3'],
    ] as const) {
      const cluster = await load();
      const created = nodesOf(plan(createClusterPipeline({ preflight: 'skip' }), cluster, fakeAssets(cluster)));
      const changed = created.filter(({ step, host }) => step.reversible && host.name === leaving);
      const undone = new Set(stepsOf(cluster, [leaving]).map(({ step, host }) => `${step}@${host}`));
      expect(changed.length).toBeGreaterThan(10);
      expect(changed.map(({ step }) => step.name).filter((name) => !undone.has(`${name}.undo@${leaving}`))).toEqual([]);
    }
  });

  it('undoes nothing on hosts that stay', async () => {
    for (const file of ['ha-haproxy', 'ha-nginx', 'ha-kube-vip', 'ha-kubexm-kh', 'binary']) {
      const cluster = await loadCluster(`examples/${file}.yaml`);
      const master = cluster.hosts.findLast(({ roles }) => roles.includes('master'))!.name;
      const undone = stepsOf(cluster, [master]).filter(({ step }) => /\.undo$|reset|forget|\.clear/.test(step));
      expect([...new Set(undone.map(({ host }) => host))]).toEqual([master]);
    }
  });

  it('connects to no host that has nothing to change: only to the worker and a running master', async () => {
    for (const load of [kubeadm, binary]) expect(touched(await load(), ['node5'])).toEqual(['node1', 'node5']);
  });

  it('does not connect to a host that does not respond', async () => {
    for (const load of [kubeadm, binary])
      for (const host of ['node3', 'node5']) {
        const dead = { drained: [], reset: [] };
        expect(touched(await load(), [host], dead)).not.toContain(host);
      }
  });

  it('drains before anything else, and removes etcd members before Node objects and the host', async () => {
    for (const load of [kubeadm, binary]) {
      const order = stepsOf(await load(), ['node3']).map(({ step }) => step);
      const positions = [
        'node.drain',
        'node.bar',
        'control-plane.stop',
        'etcd.remove-member',
        'node.remove',
        'os.forget',
      ];
      const found = positions.map((step) => order.indexOf(step));
      expect(found).toEqual(found.toSorted((one, other) => one - other));
      expect(found).not.toContain(-1);
      expect(order.indexOf('node.drain')).toBeLessThan(order.findIndex((step) => step.startsWith('haproxy')));
    }
  });

  it('restarts API servers that stay while the others still serve', async () => {
    const steps = stepsOf(await binary(), ['node2', 'node3']);
    const at = (name: string, host: string) => steps.findIndex((each) => each.step === name && each.host === host);
    expect(at('kube-apiserver.serve', 'node1')).toBeLessThan(at('haproxy.serve', 'node4'));
    expect(at('haproxy.serve', 'node4')).toBeLessThan(at('control-plane.stop', 'node2'));
  });

  it('stops keepalived on a load balancer that leaves before the others lose it as a peer', async () => {
    const cluster = await loadCluster('examples/ha-kubexm-kh.yaml');
    const balancers = cluster.hosts.filter(({ roles }) => roles.includes('loadbalancer')).map(({ name }) => name);
    const [leaving = '', ...others] = balancers;
    const steps = stepsOf(cluster, [leaving], { drained: [] });
    const stopped = steps.findIndex(({ step, host }) => step === 'keepalived.serve.undo' && host === leaving);
    const updated = steps.flatMap(({ step, host }, at) => (step === 'keepalived.serve' ? [{ host, at }] : []));
    expect(updated.map(({ host }) => host)).toEqual(others);
    expect(updated.every(({ at }) => at > stopped)).toBe(true);
  });
});
