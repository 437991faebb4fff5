import { describe, expect, it } from 'vitest';
import { Secret } from '../../../src/common/secret.ts';
import type { Cluster } from '../../../src/config/model/cluster.ts';
import { loadCluster } from '../../../src/config/load/load.ts';
import { apiserverCertSans } from '../../../src/template/kubeadm/cluster-configuration.ts';
import { kubeadmInit } from '../../../src/template/kubeadm/init.ts';
import { kubeProxyConfiguration } from '../../../src/template/kubeadm/kube-proxy-configuration.ts';
import { kubeadmJoin } from '../../../src/template/kubeadm/join.ts';
import { kubeletConfiguration } from '../../../src/template/kubeadm/kubelet-configuration.ts';

const load = (...overrides: readonly string[]) => loadCluster('test/fixtures/kubeadm.yaml', { overrides });
const hostOf = ({ hosts }: Cluster, name: string) => hosts.find((host) => host.name === name)!;
const token = new Secret('abcdef.0123456789abcdef');

const STACKED = { type: 'local', imageTag: '3.6.6-0' } as const;
const EXTERNAL = {
  type: 'external',
  endpoints: ['https://10.0.0.1:2379'],
  caFile: '/etc/kubernetes/pki/etcd/ca.crt',
  certFile: '/etc/kubernetes/pki/apiserver-etcd-client.crt',
  keyFile: '/etc/kubernetes/pki/apiserver-etcd-client.key',
} as const;

const initOf = (cluster: Cluster, etcd: typeof STACKED | typeof EXTERNAL = STACKED) =>
  kubeadmInit({
    cluster,
    host: hostOf(cluster, 'node1'),
    imageRepository: 'registry.k8s.io',
    etcd,
    volumes: [{ name: 'audit', path: '/var/log/kubernetes', readOnly: false, pathType: 'DirectoryOrCreate' }],
    apiserverFlags: { 'audit-log-path': '/var/log/kubernetes/audit.log' },
    proxyMode: 'nftables',
    token,
    ignoredChecks: ['SystemVerification'],
    patches: undefined,
  });

describe('kubeadm init configuration', () => {
  it.each([
    ['1.30.4', EXTERNAL],
    ['1.35.4', STACKED],
    ['1.36.3', EXTERNAL],
  ] as const)('for Kubernetes %s', async (version, etcd) => {
    const text = initOf(await load(`kubernetes.version=v${version}`), etcd);
    await expect(text).toMatchFileSnapshot(`../../golden/kubernetes/init-${version}.yaml`);
  });

  it.each([
    ['1.30.14', 'v1beta3'],
    ['1.31.0', 'v1beta4'],
  ])('uses the API that kubeadm %s supports', async (version, api) => {
    const kinds = initOf(await load(`kubernetes.version=v${version}`)).match(/kubeadm\.k8s\.io\/\S+/g);
    expect(kinds).toEqual([`kubeadm.k8s.io/${api}`, `kubeadm.k8s.io/${api}`]);
  });

  it.each([
    ['docker', 'v1.36.3', false],
    ['docker', 'v1.35.4', undefined],
    ['containerd', 'v1.36.3', undefined],
  ])('sets the kubelet feature gates that %s requires with Kubernetes %s', async (runtime, version, gate) => {
    const settings = [`kubernetes.containerRuntime.type=${runtime}`, `kubernetes.version=${version}`];
    const { featureGates = {} }: { featureGates?: object } = kubeletConfiguration(await load(...settings));
    expect(featureGates).toEqual({
      GracefulNodeShutdown: true,
      ...(gate !== undefined && { ExtendWebSocketsToKubelet: gate }),
    });
  });

  it('lets the cluster file override the feature gates of the container runtime', async () => {
    const cluster = await load(
      'kubernetes.containerRuntime.type=docker',
      'kubernetes.version=v1.36.3',
      'kubernetes.featureGates={ExtendWebSocketsToKubelet: true}',
    );
    expect(kubeletConfiguration(cluster)).toMatchObject({ featureGates: { ExtendWebSocketsToKubelet: true } });
  });

  it('omits kube-proxy when Cilium replaces it', async () => {
    const cilium = ['network.plugin=cilium', 'network.cilium.kubeProxyReplacement=true'];
    expect(initOf(await load(...cilium))).toContain('proxy:\n  disabled: true');
    expect(initOf(await load(...cilium))).not.toContain('KubeProxyConfiguration');
    expect(initOf(await load(...cilium, 'kubernetes.version=v1.30.4'))).toContain('skipPhases:\n  - addon/kube-proxy');
  });

  it('supports dual stack', async () => {
    const text = initOf(
      await load(
        ...[1, 2, 3, 4].map((at) => `hosts.node${at}.internalAddress=10.0.0.${at},fd00::${at}`),
        'network.kubePodsCIDR=10.233.64.0/18,fd85::/104',
        'network.kubeServiceCIDR=10.233.0.0/18,fd86::/112',
      ),
    );
    expect(text).toContain('podSubnet: 10.233.64.0/18,fd85::/104');
    expect(text).toContain('name: node-cidr-mask-size-ipv6');
    expect(text).toContain('- 10.233.0.10\n  - fd86::a');
  });
});

describe('kubeadm join configuration', () => {
  it.each(['node2', 'node4'])('of %s', async (name) => {
    const cluster = await load();
    const host = hostOf(cluster, name);
    const text = kubeadmJoin({
      cluster,
      host,
      discovery: '/run/kubexm-join-01234567.conf',
      token,
      ignoredChecks: [],
      patches: undefined,
    });
    await expect(text).toMatchFileSnapshot(`../../golden/kubernetes/join-${name}.yaml`);
  });
});

it.each([
  ['iptables', { masqueradeAll: true }],
  ['ipvs', { masqueradeAll: true }],
  ['nftables', undefined],
] as const)('kube-proxy in mode %s masquerades all traffic as configured', async (mode, iptables) => {
  const cluster = await load('kubernetes.masqueradeAll=true');
  const config = new Map(Object.entries(kubeProxyConfiguration(cluster, mode)));
  expect(config.get('iptables')).toEqual(iptables);
  expect(config.get('nftables')).toEqual(mode === 'nftables' ? { masqueradeAll: true } : undefined);
});

it('API server certificates are valid for the address that this machine logs in to', async () => {
  const cluster = await load('hosts.node1.address=203.0.113.1', 'hosts.node1.internalAddress=10.0.0.1');
  expect(apiserverCertSans(cluster)).toEqual(expect.arrayContaining(['node1', '10.0.0.1', '203.0.113.1', '10.0.0.2']));
  expect(apiserverCertSans(cluster)).not.toContain('203.0.113.4');
});
