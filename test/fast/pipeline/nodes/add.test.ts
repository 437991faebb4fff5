import { describe, expect, it } from 'vitest';
import { LOCAL, type Role } from '../../../../src/common/host.ts';
import { loadCluster } from '../../../../src/config/load/load.ts';
import type { Cluster } from '../../../../src/config/model/cluster.ts';
import { addNodesPipeline, type Addition } from '../../../../src/pipeline/nodes/add.ts';
import { nodesOf } from '../../../../src/plan/graph.ts';
import { outline } from '../../../../src/plan/outline.ts';
import { plan } from '../../../../src/runtime/plan/plan.ts';
import { fakeAssets } from '../../../fake/fake-assets.ts';
import { binary, ETCD, kubeadm, touchedBy } from './ha-cluster.ts';

type Roles = Readonly<Record<string, readonly Role[]>>;

const additionOf = (roles: Roles, more: Partial<Addition> = {}): Addition => ({
  roles: new Map(Object.entries(roles)),
  master: 'node1',
  etcdHost: 'node1',
  vipHost: undefined,
  ...more,
});

const graphOf = (cluster: Cluster, roles: Roles, more?: Partial<Addition>) =>
  plan(addNodesPipeline(additionOf(roles, more)), cluster, fakeAssets(cluster));

const touched = (cluster: Cluster, roles: Roles, more?: Partial<Addition>) => touchedBy(graphOf(cluster, roles, more));

describe('the plan of add nodes', () => {
  it.each<readonly [string, () => Promise<Cluster>, Roles]>([
    ['worker-kubeadm', () => kubeadm(), { node5: ['worker'] }],
    ['worker-kubexm', () => binary(), { node5: ['worker'] }],
    ['master-kubeadm', () => kubeadm(), { node2: ['master'], node3: ['master'] }],
    ['master-kubexm', () => binary('roleGroups.etcd=["node1"]'), { node2: ['master'], node3: ['master'] }],
    [
      'etcd-kubeadm',
      () => kubeadm(ETCD, 'roleGroups.etcd=["node1","node4","node5"]'),
      { node4: ['etcd'], node5: ['etcd'] },
    ],
    ['etcd-kubexm', () => binary('roleGroups.etcd=["node1","node4","node5"]'), { node4: ['etcd'], node5: ['etcd'] }],
    ['master-and-etcd-kubexm', () => binary(), { node3: ['etcd', 'master'] }],
  ])('is the expected one: %s', async (name, load, roles) => {
    await expect(`${outline(graphOf(await load(), roles))}\n`).toMatchFileSnapshot(
      `../../../golden/plan/add-${name}.txt`,
    );
  });

  it.each(['examples/ha-kubexm-kh.yaml', 'examples/ha-kubexm-kn.yaml'])(
    'updates load balancers one after another, the one with the virtual IP last and new ones after it: %s',
    async (file) => {
      const cluster = await loadCluster(file);
      const balancers = cluster.hosts.filter(({ roles }) => roles.includes('loadbalancer')).map(({ name }) => name);
      const [first = '', ...others] = balancers;
      const added = others.at(-1)!;
      const roles: Roles = { [added]: ['loadbalancer'] };
      const nodes = nodesOf(graphOf(cluster, roles, { master: cluster.firstMaster, vipHost: first }));
      const order = nodes.filter(({ step }) => step.name === 'keepalived.serve').map(({ host }) => host.name);
      expect(order).toEqual([...others.slice(0, -1), first, added]);
    },
  );

  it('connects only to the new worker, the running master and this machine', async () => {
    for (const load of [kubeadm, binary])
      expect(touched(await load(), { node5: ['worker'] }, { master: 'node2' })).toEqual(['node2', 'node5']);
  });

  it('updates the load balancers of all workers for a new master', async () => {
    const steps = nodesOf(graphOf(await binary(), { node3: ['master', 'etcd'] }));
    expect(steps.filter(({ step }) => step.name === 'haproxy.serve').map(({ host }) => host.name)).toEqual([
      'node4',
      'node5',
    ]);
  });

  it('opens the firewalls of all hosts for a new one only if they have rules', async () => {
    const rules = await kubeadm('system.firewall=rules');
    expect(touched(rules, { node5: ['worker'] })).toEqual(['node1', 'node2', 'node3', 'node4', 'node5']);
    const other = nodesOf(graphOf(rules, { node5: ['worker'] })).filter(({ host }) => host.name === 'node4');
    expect(other.map(({ step }) => step.name)).toEqual(['os.firewall']);
  });

  it('connects API servers to new etcd members one after another', async () => {
    const cluster = await binary('roleGroups.etcd=["node1","node4","node5"]');
    const nodes = nodesOf(graphOf(cluster, { node4: ['etcd'], node5: ['etcd'] }));
    const order = nodes.map(({ step, host }) => `${step.name}@${host.name}`);
    const at = (id: string) => order.indexOf(id);
    expect(at('etcd.promote@node4')).toBeLessThan(at('etcd.add-member@node5'));
    expect(at('etcd.settle@node5')).toBeLessThan(at('kube-apiserver.serve@node1'));
    expect(at('kube-apiserver.serve@node1')).toBeLessThan(at('kube-apiserver.serve@node2'));
  });

  it.each([1000, 5000])('for one worker of %i hosts names that worker, a master and this machine', async (count) => {
    const cluster = await kubeadm();
    const worker = cluster.hosts.find(({ name }) => name === 'node5');
    const hosts = Array.from({ length: count - 4 }, (_, index) => ({
      ...worker!,
      name: `w${index}`,
      internalAddresses: [`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`] as const,
    }));
    const large = { ...cluster, hosts: [...cluster.hosts.slice(0, 4), ...hosts] };
    const nodes = nodesOf(graphOf(large, { w7: ['worker'] }));
    expect(new Set(nodes.map(({ host }) => host.name))).toEqual(new Set([LOCAL.name, 'node1', 'w7']));
  });
});
