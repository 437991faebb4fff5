import { hostUnreachable, commandOn, reachedHosts, type HealthCheck } from '../check.ts';

export const api: HealthCheck = {
  name: 'api',
  condition: 'APIServerHealthy',
  evaluate: (input) => {
    const masters = input.hosts.filter(({ host }) => host.roles.includes('master'));
    const probed = reachedHosts(input).flatMap(({ host, api: result }) => (result ? [{ host, result }] : []));
    const failed = probed.filter(({ result }) => !result.ok);
    const unreachable = masters.filter(({ type }) => type === 'unreachable');
    const ready = probed.length - failed.length;
    return {
      type: 'evaluated',
      found: `${ready === masters.length ? (ready === 1 ? 'the API server is' : `all ${ready} API servers are`) : `${ready} of ${masters.length} API servers are`} ready`,
      findings: [
        ...unreachable.map(({ host }) => hostUnreachable(input, host.name)),
        ...failed.map(({ host, result }) => ({
          host: host.name,
          severity: 'failed' as const,
          found: result.detail,
          next: commandOn(input, host.name, DIAGNOSE[input.cluster.kubernetes.type]),
        })),
      ],
    };
  },
};

/** Shows why an API server is not ready. */
const DIAGNOSE = {
  kubeadm: 'crictl ps -a --name kube-apiserver; journalctl -u kubelet -n 30',
  kubexm: 'systemctl status kube-apiserver; journalctl -u kube-apiserver -n 30',
} as const;
