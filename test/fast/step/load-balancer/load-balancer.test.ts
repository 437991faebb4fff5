import { describe, expect, it } from 'vitest';
import type { Cluster } from '../../../../src/config/model/cluster.ts';
import { loadCluster } from '../../../../src/config/load/load.ts';
import {
  balanceNodesModule,
  beginVipModule,
  removeLoadBalancerModule,
  setupLoadBalancerModule,
} from '../../../../src/module/load-balancer.ts';
import { definePipeline } from '../../../../src/pipeline/pipeline.ts';
import { sequence } from '../../../../src/plan/fragment.ts';
import { outline } from '../../../../src/plan/outline.ts';
import { plan } from '../../../../src/runtime/plan/plan.ts';
import { interfaceFor } from '../../../../src/step/load-balancer/vip-interface.ts';
import { kubeVipPod } from '../../../../src/template/load-balancer/kube-vip.ts';
import { balancerPod } from '../../../../src/template/load-balancer/static-pod.ts';
import { fakeFacts } from '../../../fake/fake-runner.ts';
import { fakeAssets } from '../../../fake/fake-assets.ts';

const golden = (name: string) => `../../../golden/load-balancer/${name}`;

const outlineOf = (cluster: Cluster) => {
  const modules = [setupLoadBalancerModule, beginVipModule, balanceNodesModule, removeLoadBalancerModule];
  const named = { name: 'trial', command: 'trial', title: 'Trial' };
  const all = definePipeline({ ...named, plan: (ctx) => sequence(...modules.map((one) => ctx.module(one))) });
  return outline(plan(all, cluster, fakeAssets(cluster, ['load-balancer'])));
};

describe('the plan', () => {
  it.each(['ha-kubexm-kh', 'ha-kubexm-kn', 'ha-haproxy', 'ha-nginx', 'ha-kube-vip', 'ha-external'])(
    'of %s',
    async (example) => {
      const cluster = await loadCluster(`examples/${example}.yaml`, {});
      await expect(`${outlineOf(cluster)}\n`).toMatchFileSnapshot(golden(`plan-${example}.txt`));
    },
  );

  it('is empty for a single master', async () => {
    expect(outlineOf(await loadCluster('examples/single-node.yaml', {}))).toBe('trial: 0 steps on 0 hosts');
  });
});

const BGP = {
  localAS: 65_001,
  routerId: '10.0.0.1',
  peers: [
    { address: '10.0.0.254', as: 65_000, password: 'of the router', multiHop: false },
    { address: 'fd00::fe', as: 4_200_000_000, password: '', multiHop: true },
  ],
};

describe('the static Pods', () => {
  const options = { digest: 'a'.repeat(64), port: 6443 };

  it.each(['haproxy', 'nginx'] as const)('of %s', async (name) => {
    const image = `docker.io/library/${name}:1-alpine`;
    await expect(balancerPod({ ...options, name, image, folder: `/etc/kubexm/${name}` })).toMatchFileSnapshot(
      golden(`${name}-pod.yaml`),
    );
  });

  it('run as root only for privileged ports', () => {
    const pod = { ...options, name: 'haproxy', image: 'haproxy:3', folder: '/etc/kubexm/haproxy' } as const;
    expect(balancerPod({ ...pod, port: 443 })).toContain('runAsUser: 0');
    expect(balancerPod(pod)).not.toContain('runAsUser');
  });

  it.each(['ARP', 'BGP'] as const)('of kube-vip in %s mode', async (mode) => {
    const pod = kubeVipPod({
      image: 'ghcr.io/kube-vip/kube-vip:v1.2.3',
      address: '10.0.0.100',
      port: 6443,
      bgp: mode === 'BGP' ? BGP : undefined,
      interface: 'eth0',
      kubeconfig: '/etc/kubernetes/super-admin.conf',
    });
    await expect(pod).toMatchFileSnapshot(golden(`kube-vip-${mode.toLowerCase()}.yaml`));
  });
});

describe('the interface of a virtual IP', () => {
  const link = (name: string, ...addresses: readonly string[]) => ({ name, mac: '', mtu: 1500, addresses });
  const interfaces = [link('lo', '127.0.0.1/8'), link('eth0', '192.168.1.5/24'), link('eth1', '10.0.0.5/24')];
  const host = { name: 'lb1', address: '192.168.1.5', roles: [] };
  const view = {
    host,
    hosts: { all: [host], withRole: () => [] },
    facts: { ...fakeFacts('lb1'), interfaces },
  };

  it.each([
    ['is the one in its subnet', '10.0.0.100', '192.168.1.5', 'eth1'],
    ['is the one with the internal address if no subnet matches', '172.16.0.9', '192.168.1.5', 'eth0'],
  ])('%s', (_, address, own, found) => expect(interfaceFor(view, address, own)).toBe(found));

  it('does not depend on whether the virtual IP is already configured', () => {
    const facts = { ...view.facts, interfaces: [link('eth0', '10.9.0.1/24', '10.0.0.100/32'), interfaces[2]!] };
    expect(interfaceFor({ ...view, facts }, '10.0.0.100', '10.9.0.1')).toBe('eth1');
  });

  it('cannot be detected if nothing matches', () =>
    expect(() => interfaceFor(view, '172.16.0.9', '172.16.0.1')).toThrow(/No interface is in the subnet/));
});
