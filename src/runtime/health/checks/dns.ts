import { dnsServiceAddresses } from '../../../config/model/service-address.ts';
import { count, on, seenHosts, type HealthCheck } from '../check.ts';

export const dns: HealthCheck = {
  name: 'dns',
  condition: 'DNSAnswers',
  judge: (scene) => {
    const asked = seenHosts(scene).flatMap(({ host, dns: answer }) => (answer ? [{ host, answer }] : []));
    if (asked.length === 0) return { type: 'unknown', found: 'no node was reached' };
    const failed = asked.filter(({ answer }) => !answer.ok);
    const [server = ''] = dnsServiceAddresses(scene.cluster.network.serviceCidrs);
    return {
      type: 'judged',
      found:
        failed.length === 0
          ? `${server} answers ${count(asked.length, 'node')}`
          : `${server} answers ${asked.length - failed.length} of ${asked.length} nodes`,
      findings: failed.map(({ host, answer }) => ({
        host: host.name,
        severity: 'failed',
        found: answer.said,
        next: on(scene, host.name, LOOK[scene.cluster.kubernetes.type]),
      })),
    };
  },
};

/** What brings questions to CoreDNS. */
const LOOK = {
  kubeadm: 'crictl ps --name "coredns|kube-proxy"; ip route',
  kubexm: 'crictl ps --name coredns; systemctl status kube-proxy; ip route',
} as const;
