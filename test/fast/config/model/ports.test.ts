import { describe, expect, it } from 'vitest';
import { loadCluster } from '../../../../src/config/load/load.ts';
import { heldPorts, portsOf } from '../../../../src/config/model/ports.ts';

const cluster = await loadCluster('test/fixtures/prepare-os.yaml');
const open = (name: string, of = cluster) => {
  const { ports, protocols } = portsOf(
    of,
    of.hosts.find((host) => host.name === name)!,
  );
  return [
    ...ports.map(({ protocol, port, to }) => `${protocol} ${port}${to === undefined ? '' : `-${to}`}`),
    ...protocols,
  ];
};
const NODE = ['tcp 10250', 'tcp 10256', 'tcp 30000-32767', 'udp 30000-32767'];

describe('portsOf', () => {
  it('lists the ports of the roles and of SSH without duplicates', () => {
    expect(open('node1')).toEqual([
      'tcp 22',
      'tcp 6443',
      'tcp 2379',
      'tcp 2380',
      ...NODE,
      'tcp 179',
      'udp 123',
      'ipip',
    ]);
    expect(open('node2')).toEqual(['tcp 22', ...NODE, 'tcp 179', 'tcp 5000', 'ipip']);
    expect(open('node3')).toEqual(['tcp 2222', 'tcp 8443', 'vrrp']);
  });

  it('does not open ports that listen on loopback, but requires them to be free', () => {
    const ports = [10_257, 10_259, 10_248, 10_249, 2381];
    expect(open('node1').filter((port) => ports.some((each) => port.endsWith(` ${each}`)))).toEqual([]);
    const master = cluster.hosts.find(({ name }) => name === 'node1')!;
    expect(heldPorts(cluster, master).map(({ port }) => port)).toEqual(expect.arrayContaining(ports));
  });

  it('opens ports that only hosts of the cluster use for these hosts only', () => {
    const publicPorts = (name: string) =>
      portsOf(
        cluster,
        cluster.hosts.find((host) => host.name === name)!,
      )
        .ports.filter(({ inCluster }) => !inCluster)
        .map(({ protocol, port }) => `${protocol} ${port}`);
    expect(publicPorts('node1')).toEqual(['tcp 22', 'tcp 6443', 'tcp 10256', 'tcp 30000', 'udp 30000']);
    expect(publicPorts('node2')).toEqual(['tcp 22', 'tcp 10256', 'tcp 30000', 'udp 30000', 'tcp 5000']);
    expect(publicPorts('node3')).toEqual(['tcp 2222', 'tcp 8443']);
  });

  it('depends on the network plugin', () => {
    const flannel = (backend: 'vxlan' | 'host-gw' | 'wireguard') =>
      open('node2', {
        ...cluster,
        network: { ...cluster.network, plugin: { type: 'flannel', version: undefined, backend } },
      });
    expect(flannel('vxlan')).toEqual(['tcp 22', ...NODE, 'udp 8472', 'tcp 5000']);
    expect(flannel('host-gw')).toEqual(['tcp 22', ...NODE, 'tcp 5000']);
    expect(flannel('wireguard')).toEqual(['tcp 22', ...NODE, 'udp 51820-51821', 'tcp 5000']);
  });

  it('uses the configured port of the API server', () => {
    const { kubernetes } = cluster;
    const apiserver = { ...kubernetes.apiserver, extraArgs: { 'secure-port': '7443' } };
    const moved = { ...cluster, kubernetes: { ...kubernetes, apiserver } };
    expect(open('node1', moved)).toContain('tcp 7443');
    expect(open('node1', moved)).not.toContain('tcp 6443');
    const free = heldPorts(
      moved,
      moved.hosts.find(({ name }) => name === 'node1')!,
    ).map(({ port }) => port);
    expect(free).toContain(7443);
    expect(free).not.toContain(22);
  });

  it('opens the etcd ports only on hosts that run etcd', () => {
    if (cluster.etcd.type === 'external') throw new TypeError('the fixture does not use an external etcd');
    const stacked = { ...cluster.etcd, type: 'kubeadm' as const };
    expect(open('node1', { ...cluster, etcd: stacked })).toContain('tcp 2380');
    const external = {
      type: 'external',
      endpoints: [],
      caFile: undefined,
      certFile: undefined,
      keyFile: undefined,
    } as const;
    expect(open('node1', { ...cluster, etcd: external })).not.toContain('tcp 2380');
  });
});
