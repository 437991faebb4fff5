import { notReached, on, seenHosts, type HealthCheck } from '../check.ts';

export const api: HealthCheck = {
  name: 'api',
  condition: 'APIServerHealthy',
  judge: (scene) => {
    const masters = scene.hosts.filter(({ host }) => host.roles.includes('master'));
    const asked = seenHosts(scene).flatMap(({ host, api: answer }) => (answer ? [{ host, answer }] : []));
    const failed = asked.filter(({ answer }) => !answer.ok);
    const away = masters.filter(({ type }) => type === 'unseen');
    const ready = asked.length - failed.length;
    return {
      type: 'judged',
      found: `${ready === masters.length ? (ready === 1 ? 'the API server is' : `all ${ready} API servers are`) : `${ready} of ${masters.length} API servers are`} ready`,
      findings: [
        ...away.map(({ host }) => notReached(scene, host.name)),
        ...failed.map(({ host, answer }) => ({
          host: host.name,
          severity: 'failed' as const,
          found: answer.said,
          next: on(scene, host.name, LOOK[scene.cluster.kubernetes.type]),
        })),
      ],
    };
  },
};

/** Where an API server says what ails it. */
const LOOK = {
  kubeadm: 'crictl ps -a --name kube-apiserver; journalctl -u kubelet -n 30',
  kubexm: 'systemctl status kube-apiserver; journalctl -u kube-apiserver -n 30',
} as const;
