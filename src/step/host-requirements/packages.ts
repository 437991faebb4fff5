import { isNode } from '../../common/host.ts';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import type { Facts } from '../../runner/facts.ts';
import { proxyModeOf } from '../kubernetes-object/proxy-mode.ts';
import { runtimePackages } from '../../config/model/container-runtimes.ts';

/** What a host needs of its system's packages, by the names they have there. */
export function packageNames(cluster: Cluster, host: ClusterHost, facts: Facts): readonly string[] {
  const { system, storage } = cluster;
  const isDebian = facts.packageManager === 'apt';
  const becomesNode = isNode(host);
  const mode = proxyModeOf(cluster, facts);
  const chrony = system.time.type === 'none' ? [] : ['chrony'];
  // It comes with the service of time, which is asked for by itself.
  if (system.packages === 'keep') return chrony;
  const names = [
    ...(becomesNode ? [...Object.values(nodeCommands(facts)), 'bash-completion'] : []),
    ...(needsNft(cluster, facts) ? [NFT_PACKAGE] : []),
    ...(becomesNode && mode === 'ipvs' ? ['ipvsadm'] : []),
    ...(becomesNode && storage.nfs ? [isDebian ? 'nfs-common' : 'nfs-utils'] : []),
    ...(becomesNode && storage.longhorn ? [isDebian ? 'open-iscsi' : 'iscsi-initiator-utils'] : []),
    ...(asksEtcd(cluster, host) ? ['curl'] : []),
    ...chrony,
    ...(system.timezone === undefined ? [] : ['tzdata']),
    ...balancerPackages(cluster, host, isDebian),
    ...(isDebian ? system.debs : system.rpms),
  ];
  return [...new Set(names)];
}

/** Whether the host asks an etcd of somebody else for its health, which is done with curl. */
export const asksEtcd = ({ etcd }: Cluster, { roles }: ClusterHost): boolean =>
  etcd.type === 'external' && roles.includes('master');

/** All that a host ever installs of its system's packages for this cluster, in whichever step. */
export const wantedPackages = (cluster: Cluster, host: ClusterHost, facts: Facts): readonly string[] => [
  ...new Set([...packageNames(cluster, host, facts), ...runtimePackages(cluster, host, facts)]),
];

/** What packages are made for: "debian-12". */
export const systemOf = ({ os }: Pick<Facts, 'os'>): string => `${os.id}-${os.versionId}`;

/** The package of the command nft. */
export const NFT_PACKAGE = 'nftables';

/** Whether kube-proxy or the rules of the host are set with nft. */
export const needsNft = (cluster: Cluster, facts: Pick<Facts, 'kernel'>): boolean =>
  proxyModeOf(cluster, facts) === 'nftables' || cluster.system.firewall === 'rules';

/** What kubeadm and kubelet look for on a node, each with the package that brings it. */
export const nodeCommands = (facts: Facts) => ({
  ...(facts.packageManager === 'apt' ? DEBIAN_NODE : rpmNode(facts)),
  socat: 'socat',
  ipset: 'ipset',
  ethtool: 'ethtool',
});

const DEBIAN_NODE = { conntrack: 'conntrack', iptables: 'iptables', ebtables: 'ebtables', tc: 'iproute2' };

/** Red Hat has moved the commands from package to package; its kin follow, openEuler and Kylin kept the old ones. */
function rpmNode({ os }: Facts): typeof DEBIAN_NODE {
  const conntrack = 'conntrack-tools';
  const kept = os.id === 'openeuler' || os.id === 'kylin' || os.versionId.startsWith('7');
  if (kept) return { conntrack, iptables: 'iptables', ebtables: 'ebtables', tc: 'iproute' };
  if (os.versionId.startsWith('8'))
    return { conntrack, iptables: 'iptables', ebtables: 'iptables-ebtables', tc: 'iproute-tc' };
  return { conntrack, iptables: 'iptables-nft', ebtables: 'iptables-nft', tc: 'iproute-tc' };
}

function balancerPackages(cluster: Cluster, host: ClusterHost, isDebian: boolean): readonly string[] {
  const commands = balancerCommands(cluster, host);
  return [...commands, ...(commands.includes('nginx') ? [isDebian ? 'libnginx-mod-stream' : 'nginx-mod-stream'] : [])];
}

/** What the load balancer of a host is made of, if it has one as a service; each comes from the package of its name. */
export const balancerCommands = (cluster: Cluster, { roles }: ClusterHost): readonly string[] => [
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

/** Of kubeadm's workers it is a pod. */
function internalCommands({ kubernetes, endpoint: { internal } }: Cluster): readonly string[] {
  const isProxy = internal.type === 'haproxy' || internal.type === 'nginx';
  return kubernetes.type === 'kubexm' && isProxy ? [internal.type] : [];
}
