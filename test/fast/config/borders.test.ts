import { describe, expect, it } from 'vitest';
import { check, fixture, lines } from './check.ts';

const full = fixture('full.yaml');
const findings = (rule: string, ...overrides: readonly string[]) =>
  check(full, overrides).diagnostics.filter((each) => each.rule === rule);

describe('rules accept their limits and reject the next value', () => {
  it.each<readonly [rule: string, accepted: readonly string[], rejected: readonly string[]]>([
    ['etcd-election', ['etcd.heartbeatInterval=1000'], ['etcd.heartbeatInterval=1001']],
    [
      'cidr-services',
      ['network.kubeServiceCIDR=10.96.0.0/12', 'network.kubePodsCIDR=10.240.0.0/18'],
      ['network.kubeServiceCIDR=10.96.0.0/11', 'network.kubePodsCIDR=10.240.0.0/18'],
    ],
    ['cidr-services', ['network.kubeServiceCIDR=10.96.0.0/28'], ['network.kubeServiceCIDR=10.96.0.0/29']],
    [
      'cidr-nodes',
      ['network.kubePodsCIDR=10.100.0.0/23', 'roleGroups.worker=[node2]'],
      ['network.kubePodsCIDR=10.100.0.0/23', 'roleGroups.worker=[node2, node3]'],
    ],
    ['cidr-nodes', ['kubernetes.maxPods=254'], ['kubernetes.maxPods=255']],
    [
      'proxy-mode-available',
      ['kubernetes.proxyMode=nftables', 'kubernetes.version=v1.31.0'],
      ['kubernetes.proxyMode=nftables', 'kubernetes.version=v1.30.14'],
    ],
    ['cidr-nodes', ['kubernetes.nodeCidrMaskSize=18', 'roleGroups.worker=[]'], ['kubernetes.nodeCidrMaskSize=17']],
  ])('%s: %j, but not %j', (rule, accepted, rejected) => {
    expect(findings(rule, ...accepted)).toEqual([]);
    expect(findings(rule, ...rejected)).not.toEqual([]);
  });

  it('lb-address-free: the virtual IP is neither the address nor the internal address of a host', () => {
    const vip = ['controlPlaneEndpoint.internalLoadbalancer=kube-vip', 'hosts[1].internalAddress=10.1.1.2'];
    expect(findings('lb-address-free', ...vip, 'controlPlaneEndpoint.lb_address=10.1.1.3')).toEqual([]);
    for (const used of ['10.1.1.2', '198.51.100.12'])
      expect(findings('lb-address-free', ...vip, `controlPlaneEndpoint.lb_address=${used}`)).toMatchObject([
        { message: expect.stringContaining('is the address of node2') },
      ]);
  });
});

describe('data directories', () => {
  const problemOf = (path: string, field = 'etcd.dataDir') => lines(check(full, [`${field}=${path}`]));

  it.each(['/var/lib/etcd', '/data', '/data/etcd', '/mnt/disk1', '/opt/etcd', '/srv/etcd', '/var/lib/etcd-data'])(
    'can be %s',
    (path) => expect(problemOf(path)).toEqual([]),
  );

  it.each([
    ['/', 'must not be /, which other programs use; use a subdirectory'],
    ['//', 'must not be /, which other programs use; use a subdirectory'],
    ['/./', 'must not be /, which other programs use; use a subdirectory'],
    ['/mnt', 'must not be /mnt, which other programs use; use a subdirectory'],
    ['/mnt/', 'must not be /mnt, which other programs use; use a subdirectory'],
    ['/var//lib/', 'must not be /var/lib, which other programs use; use a subdirectory'],
    ['/etc', 'must not be in /etc, which is a system directory'],
    ['/etc/kubernetes', 'must not be in /etc, which is a system directory'],
    ['//usr/./local', 'must not be in /usr, which is a system directory'],
    ['/var/lib/kubelet/etcd', 'must not be in /var/lib/kubelet, which is a system directory'],
    ['/../usr', 'must not contain ".."'],
    ['/data/../etc', 'must not contain ".."'],
    ['/data/..', 'must not contain ".."'],
    ['data', 'must be an absolute path'],
  ])('cannot be %s', (path, message) => expect(problemOf(path).join()).toContain(`spec.etcd.dataDir: ${message}, got`));

  it.each([
    'etcd.backup.dir',
    'registry.registryDataDir',
    'kubernetes.containerRuntime.dataDir',
    'storage.openebs.basePath',
  ])('are checked in %s', (field) =>
    expect(problemOf('/usr/lib', field).join()).toContain('which is a system directory'),
  );

  it('are normalized', () => {
    const { cluster } = check(full, ['etcd.dataDir=/data//etcd/./', 'registry.registryDataDir=/data/registry/']);
    expect(cluster).toMatchObject({ etcd: { dataDir: '/data/etcd' }, registry: { dataDir: '/data/registry' } });
  });
});
