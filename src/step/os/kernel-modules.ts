import type { Cluster } from '../../config/cluster.ts';
import { compareVersions } from '../../config/version.ts';
import { sh } from '../../runner/command.ts';
import type { Facts } from '../../runner/facts.ts';
import { kernelModules, type KernelModule } from '../common/kernel-modules.ts';
import { defineStep } from '../step.ts';
import { proxyModeOf } from './proxy-mode.ts';

/** What containers and kube-proxy need of the kernel (OS10). */
export const loadModules = (cluster: Cluster) =>
  defineStep({
    name: 'os.modules',
    summary: 'Load the kernel modules that Kubernetes needs',
    reversible: true,
    parts: ({ facts }) => [
      kernelModules({ path: '/etc/modules-load.d/kubexm.conf', modules: modulesFor(cluster, facts) }),
    ],
  });

function modulesFor(cluster: Cluster, facts: Facts): readonly KernelModule[] {
  const mode = proxyModeOf(cluster, facts);
  return [
    { name: 'overlay', sign: sh`grep -qw overlay /proc/filesystems` },
    { name: 'br_netfilter', sign: sh`[ -e /proc/sys/net/bridge ]` },
    { name: 'nf_conntrack', sign: sh`[ -e /proc/sys/net/netfilter/nf_conntrack_max ]` },
    ...(compareVersions(facts.kernel, '4.18.0') < 0 ? [{ name: 'nf_conntrack_ipv4' }] : []),
    ...(mode === 'nftables' ? [{ name: 'nf_tables', sign: sh`nft list tables >/dev/null 2>&1` }] : []),
    ...(mode === 'ipvs' ? IPVS : []),
  ];
}

const IPVS: readonly KernelModule[] = [
  { name: 'ip_vs', sign: sh`[ -e /proc/net/ip_vs ]` },
  { name: 'ip_vs_rr' },
  { name: 'ip_vs_wrr' },
  { name: 'ip_vs_sh' },
];
