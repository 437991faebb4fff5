import { isNode } from '../../common/host.ts';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import type { Facts } from '../../runner/facts.ts';
import { proxyModeOf } from '../kubernetes-object/proxy-mode.ts';
import { runtimePackages } from '../../config/model/container-runtimes.ts';

/** The system packages that a host needs, by their names in its distribution. */
export function packageNames(cluster: Cluster, host: ClusterHost, facts: Facts): readonly string[] {
  const { system, storage } = cluster;
  const isDebian = facts.packageManager === 'apt';
  const becomesNode = isNode(host);
  const mode = proxyModeOf(cluster, facts);
  const chrony = system.time.type === 'none' ? [] : ['chrony'];
  // chrony belongs to system.ntpServers, which is independent of system.packages.
  if (system.packages === 'keep') return chrony;
  const names = [
    ...(becomesNode ? [...Object.values(nodeCommands(facts)), 'bash-completion'] : []),
    ...(needsNft(cluster, facts) ? [NFT_PACKAGE] : []),
    ...(becomesNode && mode === 'ipvs' ? ['ipvsadm'] : []),
    ...(becomesNode && storage.nfs ? [isDebian ? 'nfs-common' : 'nfs-utils'] : []),
    ...(becomesNode && storage.longhorn ? [isDebian ? 'open-iscsi' : 'iscsi-initiator-utils'] : []),
    ...(checksExternalEtcd(cluster, host) ? ['curl'] : []),
    ...chrony,
    ...(system.timezone === undefined ? [] : ['tzdata']),
    ...loadBalancerPackages(cluster, host, isDebian),
    ...(isDebian ? system.debs : system.rpms),
  ];
  return [...new Set(names)];
}

/** Whether the host checks the health of an external etcd, which needs curl. */
export const checksExternalEtcd = ({ etcd }: Cluster, { roles }: ClusterHost): boolean =>
  etcd.type === 'external' && roles.includes('master');

/** All system packages that any step installs on a host. */
export const wantedPackages = (cluster: Cluster, host: ClusterHost, facts: Facts): readonly string[] => [
  ...new Set([...packageNames(cluster, host, facts), ...runtimePackages(cluster, host, facts)]),
];

/** The distribution that packages are built for: "debian-12". */
export const systemOf = ({ os }: Pick<Facts, 'os'>): string => `${os.id}-${os.versionId}`;

/** The package that contains nft. */
export const NFT_PACKAGE = 'nftables';

/** Whether kube-proxy or the firewall of the host needs nft. */
export const needsNft = (cluster: Cluster, facts: Pick<Facts, 'kernel'>): boolean =>
  proxyModeOf(cluster, facts) === 'nftables' || cluster.system.firewall === 'rules';

/** The commands that kubeadm and the kubelet need on a node, each with its package. */
export const nodeCommands = (facts: Facts) => ({
  ...(facts.packageManager === 'apt' ? DEBIAN_NODE : rpmNode(facts)),
  socat: 'socat',
  ipset: 'ipset',
  ethtool: 'ethtool',
});

const DEBIAN_NODE = { conntrack: 'conntrack', iptables: 'iptables', ebtables: 'ebtables', tc: 'iproute2' };

/** Package names differ between RHEL releases; openEuler and Kylin use those of RHEL 7. */
function rpmNode({ os }: Facts): typeof DEBIAN_NODE {
  const conntrack = 'conntrack-tools';
  const usesOldNames = os.id === 'openeuler' || os.id === 'kylin' || os.versionId.startsWith('7');
  if (usesOldNames) return { conntrack, iptables: 'iptables', ebtables: 'ebtables', tc: 'iproute' };
  if (os.versionId.startsWith('8'))
    return { conntrack, iptables: 'iptables', ebtables: 'iptables-ebtables', tc: 'iproute-tc' };
  return { conntrack, iptables: 'iptables-nft', ebtables: 'iptables-nft', tc: 'iproute-tc' };
}

function loadBalancerPackages(cluster: Cluster, host: ClusterHost, isDebian: boolean): readonly string[] {
  const commands = loadBalancerCommands(cluster, host);
  return [...commands, ...(commands.includes('nginx') ? [isDebian ? 'libnginx-mod-stream' : 'nginx-mod-stream'] : [])];
}

/** The programs of the load balancer service of a host; each is in the package of the same name. */
export const loadBalancerCommands = (cluster: Cluster, { roles }: ClusterHost): readonly string[] => [
  ...(roles.includes('loadbalancer') ? externalCommands(cluster) : []),
  ...(roles.includes('worker') && !roles.includes('master') ? internalCommands(cluster) : []),
];

function externalCommands({ endpoint: { external } }: Cluster): readonly string[] {
  switch (external.type) {
    case 'kubexm-kh':
      return ['keepalived', 'haproxy'];
    case 'kubexm-kn':
      return ['keepalived', 'nginx'];
    case 'none':
    case 'external':
      return [];
  }
}

/** With kubeadm, the load balancer on workers is a pod. */
function internalCommands({ kubernetes, endpoint: { internal } }: Cluster): readonly string[] {
  const isProxy = internal.type === 'haproxy' || internal.type === 'nginx';
  return kubernetes.type === 'kubexm' && isProxy ? [internal.type] : [];
}
