import type { Cluster } from '../../config/model/cluster.ts';
import { compareKernels, minorOf } from '../../config/model/version.ts';
import type { Facts } from '../../runner/facts.ts';

/** The kube-proxy mode on a host with this kernel. */
export function proxyModeOf({ kubernetes: { proxyMode, version } }: Cluster, { kernel }: Pick<Facts, 'kernel'>) {
  if (proxyMode !== 'auto') return proxyMode;
  return minorOf(version) >= 33 && compareKernels(kernel, '5.13.0') >= 0 ? 'nftables' : 'iptables';
}
