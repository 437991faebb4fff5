import type { Cluster, ClusterHost } from '../../config/cluster.ts';
import type { Facts } from '../../runner/facts.ts';
import { proxyModeOf } from '../proxy-mode.ts';

/** What a host needs of its system's packages, by the names they have there. */
export function packageNames(cluster: Cluster, host: ClusterHost, facts: Facts): readonly string[] {
  const { system, storage, endpoint, etcd } = cluster;
  const isDebian = facts.packageManager === 'apt';
  const isNode = host.roles.includes('master') || host.roles.includes('worker');
  const mode = proxyModeOf(cluster, facts);
  const names = [
    ...(isNode ? [...Object.values(nodeCommands(facts)), 'bash-completion'] : []),
    ...(needsNft(cluster, facts) ? [NFT_PACKAGE] : []),
    ...(isNode && mode === 'ipvs' ? ['ipvsadm'] : []),
    ...(isNode && storage.nfs ? [isDebian ? 'nfs-common' : 'nfs-utils'] : []),
    ...(isNode && storage.longhorn ? [isDebian ? 'open-iscsi' : 'iscsi-initiator-utils'] : []),
    // Its health is asked for with it.
    ...(host.roles.includes('master') && etcd.type === 'external' ? ['curl'] : []),
    ...(system.time.type === 'none' ? [] : ['chrony']),
    ...(system.timezone === undefined ? [] : ['tzdata']),
    ...(host.roles.includes('loadbalancer') ? proxyOf(endpoint.external.type, isDebian) : []),
    ...(isDebian ? system.debs : system.rpms),
  ];
  return [...new Set(names)];
}

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

function proxyOf(type: Cluster['endpoint']['external']['type'], isDebian: boolean): readonly string[] {
  switch (type) {
    case 'kubexm-kh':
      return ['keepalived', 'haproxy'];
    case 'kubexm-kn':
      return ['keepalived', 'nginx', isDebian ? 'libnginx-mod-stream' : 'nginx-mod-stream'];
    case 'none':
    case 'external':
      return [];
  }
}
