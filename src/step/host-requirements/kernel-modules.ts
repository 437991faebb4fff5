import type { Cluster } from '../../config/model/cluster.ts';
import { compareKernels } from '../../config/model/version.ts';
import { sh } from '../../runner/command.ts';
import type { Facts } from '../../runner/facts.ts';
import type { KernelModule } from '../common/kernel-modules.ts';
import { proxyModeOf } from '../kubernetes-object/proxy-mode.ts';

/** A kernel module that a node needs, and its purpose. */
export interface NeededModule extends KernelModule {
  readonly for: string;
}

/** The kernel modules that containers and kube-proxy need. */
export function nodeModules(cluster: Cluster, facts: Pick<Facts, 'kernel'>): readonly NeededModule[] {
  const mode = proxyModeOf(cluster, facts);
  return [
    { name: 'overlay', for: 'container images', evidence: sh`grep -qw overlay /proc/filesystems` },
    { name: 'br_netfilter', for: SERVICES, evidence: sh`[ -e /proc/sys/net/bridge ]` },
    { name: 'nf_conntrack', for: SERVICES, evidence: sh`[ -e /proc/sys/net/netfilter/nf_conntrack_max ]` },
    ...(compareKernels(facts.kernel, '4.18.0') < 0 ? [{ name: 'nf_conntrack_ipv4', for: SERVICES }] : []),
    ...(mode === 'nftables'
      ? [{ name: 'nf_tables', for: 'proxyMode nftables', evidence: sh`nft list tables >/dev/null 2>&1` }]
      : []),
    ...(cluster.kubernetes.nodelocaldns ? [{ name: 'dummy', for: 'NodeLocal DNSCache', evidence: HAS_DUMMY }] : []),
    ...(mode === 'ipvs' ? IPVS.map((module) => ({ ...module, for: 'proxyMode ipvs' })) : []),
  ];
}

const SERVICES = 'the service network';

/** Also accepts the interface itself, whoever created it. */
const HAS_DUMMY = sh`ip link show type dummy 2>/dev/null | grep -q . || [ -e /sys/class/net/nodelocaldns ]`;

const IPVS: readonly KernelModule[] = [
  { name: 'ip_vs', evidence: sh`[ -e /proc/net/ip_vs ]` },
  { name: 'ip_vs_rr' },
  { name: 'ip_vs_wrr' },
  { name: 'ip_vs_sh' },
];
