import { dnsServiceAddresses } from '../../../config/model/addresses.ts';
import { count, commandOn, reachedHosts, type HealthCheck } from '../check.ts';

export const dns: HealthCheck = {
  name: 'dns',
  condition: 'DNSAnswers',
  evaluate: (input) => {
    const probed = reachedHosts(input).flatMap(({ host, dns: result }) => (result ? [{ host, result }] : []));
    if (probed.length === 0) return { type: 'unknown', found: 'no node could be reached' };
    const failed = probed.filter(({ result }) => !result.ok);
    const [server = ''] = dnsServiceAddresses(input.cluster.network.serviceCidrs);
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
        next: commandOn(input, host.name, DIAGNOSE[input.cluster.kubernetes.type]),
      })),
    };
  },
};

/** Shows whether CoreDNS runs and queries can reach it. */
const DIAGNOSE = {
  kubeadm: 'crictl ps --name "coredns|kube-proxy"; ip route',
  kubexm: 'crictl ps --name coredns; systemctl status kube-proxy; ip route',
} as const;
