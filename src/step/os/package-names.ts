import type { Cluster, ClusterHost } from '../../config/cluster.ts';
import type { Facts } from '../../runner/facts.ts';
import { proxyModeOf } from './proxy-mode.ts';

/** What a host needs of its system's packages, by the names they have there. */
export function packageNames(cluster: Cluster, host: ClusterHost, facts: Facts): readonly string[] {
  const { system, storage, endpoint } = cluster;
  const isDebian = facts.packageManager === 'apt';
  const isNode = host.roles.includes('master') || host.roles.includes('worker');
  const mode = proxyModeOf(cluster, facts);
  const names = [
    ...(isNode ? [...(isDebian ? DEBIAN_NODE : rpmNode(facts)), 'socat', 'ipset', 'ethtool', 'bash-completion'] : []),
    ...(mode === 'nftables' || system.firewall === 'rules' ? ['nftables'] : []),
    ...(isNode && mode === 'ipvs' ? ['ipvsadm'] : []),
    ...(isNode && storage.nfs ? [isDebian ? 'nfs-common' : 'nfs-utils'] : []),
    ...(isNode && storage.longhorn ? [isDebian ? 'open-iscsi' : 'iscsi-initiator-utils'] : []),
    ...(system.time.type === 'none' ? [] : ['chrony']),
    ...(system.timezone === undefined ? [] : ['tzdata']),
    ...(host.roles.includes('loadbalancer') ? proxyOf(endpoint.external.type, isDebian) : []),
    ...(isDebian ? system.debs : system.rpms),
  ];
  return [...new Set(names)];
}

// kubeadm and kubelet look for conntrack, iptables, ebtables, tc, socat and ethtool.
const DEBIAN_NODE = ['conntrack', 'iptables', 'ebtables', 'iproute2'];

/** Red Hat has moved the commands from package to package; its kin follow, openEuler and Kylin kept the old ones. */
function rpmNode({ os }: Facts): readonly string[] {
  const kept = os.id === 'openeuler' || os.id === 'kylin' || os.versionId.startsWith('7');
  if (kept) return ['conntrack-tools', 'iptables', 'ebtables', 'iproute'];
  if (os.versionId.startsWith('8')) return ['conntrack-tools', 'iptables', 'iptables-ebtables', 'iproute-tc'];
  return ['conntrack-tools', 'iptables-nft', 'iproute-tc'];
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
