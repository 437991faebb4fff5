import { podDnsServers } from '../../../config/model/addresses.ts';
import type { Cluster } from '../../../config/model/cluster.ts';
import { count, commandOn, reachedHosts, type HealthCheck } from '../check.ts';

export const dns: HealthCheck = {
  name: 'dns',
  condition: 'DNSAnswers',
  evaluate: (input) => {
    const probed = reachedHosts(input).flatMap(({ host, dns: result }) => (result ? [{ host, result }] : []));
    if (probed.length === 0) return { type: 'unknown', found: 'no node could be reached' };
    const failed = probed.filter(({ result }) => !result.ok);
    const [server = ''] = podDnsServers(input.cluster);
    return {
      type: 'evaluated',
      found:
        failed.length === 0
          ? `${server} answers queries from ${count(probed.length, 'node')}`
          : `${server} answers queries from ${probed.length - failed.length} of ${probed.length} nodes`,
      findings: failed.map(({ host, result }) => ({
        host: host.name,
        severity: 'failed',
        found: result.detail,
        next: commandOn(input, host.name, diagnose(input.cluster)),
      })),
    };
  },
};

/** Shows whether the DNS servers run and queries can reach them. */
function diagnose({ kubernetes: { type, nodelocaldns } }: Cluster): string {
  const names = ['coredns', ...(nodelocaldns ? ['node-cache'] : []), ...(type === 'kubeadm' ? ['kube-proxy'] : [])];
  const pods = `crictl ps --name ${names.length === 1 ? names[0] : `"${names.join('|')}"`}`;
  return [pods, ...(type === 'kubexm' ? ['systemctl status kube-proxy'] : []), 'ip route'].join('; ');
}
