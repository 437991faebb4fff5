import { beforeAll, describe, expect, it } from 'vitest';
import type { Cluster } from '../../src/config/model/cluster.ts';
import { loadCluster } from '../../src/config/load/load.ts';
import { scriptOn, type Machine } from '../../src/lab/machine/machine.ts';
import { recordDockerOwner } from '../../src/step/container-runtime/docker/program.ts';
import { cleanUpHost } from '../../src/step/kubernetes/clean-up-host.ts';
import { resetNode } from '../../src/step/kubernetes/reset-node.ts';
import { stopKubeadm } from '../../src/step/kubernetes/stop-node.ts';
import { isManifestPresent, releaseVip, runKubeVip, startKubeVip } from '../../src/step/load-balancer/kube-vip.ts';
import { undo } from '../../src/step/undo/undo.ts';
import { fakeAssets } from '../fake/fake-assets.ts';
import { bootOneMachine } from './support/one-machine.ts';
import { hostState } from './support/host-state.ts';
import type { MachineContext } from './support/step-context.ts';
import { runOnce } from './support/run-once.ts';
import { labNames } from './support.ts';

const named = await labNames();
let machine: Machine;
let newContext: () => MachineContext;
bootOneMachine(named('clean-up'), (one) => ({ machine, newContext } = one));
const on = (script: string) => scriptOn(machine, script);

describe('a node of kube-vip', () => {
  const VIP = '198.51.100.250';
  let cluster: Cluster;
  beforeAll(async () => {
    const file = ['controlPlaneEndpoint.internalLoadbalancer=kube-vip', `controlPlaneEndpoint.lb_address=${VIP}`];
    cluster = await loadCluster('test/fixtures/kubeadm.yaml', { overrides: file });
  });
  const addresses = () => on('ip -o -4 addr show | awk \'$2 != "lo" { print $2, $4 }\'');

  it('loses the virtual IP when it is reset, and keeps its own addresses', async () => {
    const before = await addresses();
    await on(`ip addr add ${VIP}/32 dev eth0; ip addr add 198.51.100.9/24 dev eth0`);
    const ctx = newContext();
    await cleanUpHost(ctx, stopKubeadm(cluster, ctx.host, false));
    expect(await addresses()).toBe(`${before}eth0 198.51.100.9/24\n`);
    await on('ip addr del 198.51.100.9/24 dev eth0');
  });

  it('loses a virtual IP that an interrupted reset left behind', async () => {
    const before = await addresses();
    await on(`ip addr add ${VIP}/32 dev eth0`);
    expect(await runOnce(releaseVip(VIP), newContext())).toBe(1);
    expect(await addresses()).toBe(before);
    expect(await runOnce(releaseVip(VIP), newContext())).toBe(0);
  });

  it('has no /etc/kubernetes after the manifests of the first master were undone', async () => {
    const { internal } = cluster.endpoint;
    if (internal.type !== 'kube-vip') throw new Error('the fixture does not use kube-vip');
    const [host] = cluster.hosts;
    const settings = {
      cluster,
      vip: { ...internal, interface: 'eth0' },
      assets: fakeAssets(cluster, ['load-balancer']),
    };
    const context = () => ({ ...newContext(), host: { ...newContext().host, name: host!.name } });
    await on('mkdir /etc/kubernetes');
    expect(await runOnce(startKubeVip(settings), context())).toBe(1);
    expect(await runOnce(runKubeVip(settings), context())).toBe(1);
    await on('rm -r /etc/kubernetes');
    await runOnce(undo('kube-vip.run', 'Remove kube-vip', { isUnchanged: isManifestPresent }), context());
    await runOnce(undo('kube-vip.begin', 'Remove the initial manifest'), context());
    expect(await on('ls -d /etc/kubernetes 2>/dev/null || true')).toBe('');
  });
});

it('routes, ipsets, tables and tunnel addresses of Calico are removed without those of other programs', async () => {
  const cluster = await loadCluster('test/fixtures/kubeadm.yaml', {
    overrides: ['network.kubePodsCIDR=10.233.64.0/18'],
  });
  const before = await hostState(machine);
  await on(`ip route add blackhole 10.98.0.0/24; ipset create theirs hash:net; nft add table ip theirs`);
  const others = await hostState(machine);
  await on(`ip route add blackhole 10.233.70.0/26 proto 80; ip route add blackhole 10.99.0.0/26 proto 80
ip route add 10.233.71.0/26 dev eth0 proto bird; ip route add 10.233.72.0/26 dev eth0 table 77; ip -6 route add blackhole fd00:99::/122 proto 80
ip link add tunl0 type bridge; ip addr add 10.233.70.1/32 dev tunl0; ip link set tunl0 up
ipset create cali40this-host hash:net; ipset create KUBE-CLUSTER-IP hash:net; nft add table ip calico
mkdir -p /etc/cni/net.d /opt/cni/bin; touch /etc/cni/net.d/10-calico.conflist /etc/cni/net.d/calico-kubeconfig /opt/cni/bin/calico`);
  const ctx = newContext();
  await cleanUpHost(ctx, stopKubeadm(cluster, ctx.host, false));
  await on('rmdir /etc/cni/net.d /etc/cni /opt/cni/bin /opt/cni');
  expect(await on('ip -o link show tunl0 up')).toBe('');
  await on('ip link delete tunl0');
  expect(await hostState(machine)).toEqual(others);
  await on('ip route delete blackhole 10.98.0.0/24; ipset destroy theirs; nft delete table ip theirs');
  expect(await hostState(machine)).toEqual(before);
});

it('an interrupted reset is repeated while routes of Pods are left', async () => {
  const cluster = await loadCluster('test/fixtures/kubeadm.yaml', {
    overrides: ['network.kubePodsCIDR=10.233.64.0/18'],
  });
  const ctx = newContext();
  const step = resetNode(cluster, stopKubeadm, { preserveData: false });
  expect(await runOnce(step, ctx)).toBe(0);
  await on(`mkdir -p ${ctx.originDir}; ip route add blackhole 10.233.70.0/26 proto 80`);
  expect(await runOnce(step, ctx)).toBe(1);
  expect(await on('ip route show proto 80')).toBe('');
  expect(await runOnce(step, ctx)).toBe(0);
});

it('the rules of NodeLocal DNSCache are removed without those of other programs', async () => {
  const cluster = await loadCluster('test/fixtures/kubeadm.yaml');
  await on(`iptables -t filter -A INPUT -p tcp --dport 4242 -j ACCEPT
for chain in PREROUTING OUTPUT; do for proto in tcp udp; do
  iptables -t raw -A $chain -d 169.254.25.10/32 -p $proto --dport 53 -m comment --comment 'NodeLocal DNS Cache: skip conntrack' -j NOTRACK
done; done
iptables -t filter -A INPUT -d 169.254.25.10/32 -p udp --dport 53 -m comment --comment 'NodeLocal DNS Cache: allow DNS traffic' -j ACCEPT`);
  const ctx = newContext();
  await cleanUpHost(ctx, stopKubeadm(cluster, ctx.host, false));
  expect(await on("iptables-save | grep '^-A'")).toBe('-A INPUT -p tcp -m tcp --dport 4242 -j ACCEPT\n');
  await on('iptables -F INPUT; nft delete table ip raw 2>/dev/null; nft delete table ip filter');
});

it('rolling back the installation of Docker removes docker0 and its rules', async () => {
  const before = await hostState(machine);
  const ctx = newContext();
  expect(await runOnce(recordDockerOwner, ctx)).toBe(1);
  await on(`ip link add docker0 type bridge; mkdir /run/docker /var/lib/cri-dockerd; touch /run/cri-dockerd.sock
iptables -N DOCKER; iptables -A FORWARD -o docker0 -j DOCKER`);
  const [part] = recordDockerOwner.parts(ctx);
  await part!.rollback!(ctx, null);
  expect(
    await on('ls -d /sys/class/net/docker0 /run/docker /run/cri-dockerd.sock /var/lib/cri-dockerd 2>/dev/null || true'),
  ).toBe('');
  expect(await hostState(machine)).toEqual(before);
});

it('the network of a Docker that was installed before stays', async () => {
  await on('ip link add docker0 type bridge');
  const ctx = newContext();
  expect(await runOnce(recordDockerOwner, ctx)).toBe(1);
  await recordDockerOwner.parts(ctx)[0]!.rollback!(ctx, null);
  expect(await on('ls -d /sys/class/net/docker0')).toBe('/sys/class/net/docker0\n');
  await on('ip link delete docker0');
});
