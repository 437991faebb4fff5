import { isNode } from '../../../common/host.ts';
import { count, kubectlOn, kubernetesIn, on, SILENT, type HealthCheck, type HealthFinding } from '../check.ts';

export const nodes: HealthCheck = {
  name: 'nodes',
  condition: 'NodesReady',
  judge: (scene) => {
    const seen = kubernetesIn(scene)?.nodes;
    if (!seen) return SILENT;
    const known = new Set(seen.map(({ name }) => name));
    const missing = scene.cluster.hosts.filter((host) => isNode(host) && !known.has(host.name));
    const ready = seen.filter(({ status }) => status === 'Ready').length;
    const all = seen.length + missing.length;
    return {
      type: 'judged',
      found: ready === all ? `${count(all, 'node')} ready` : `${ready} of ${all} nodes ready`,
      findings: [
        ...missing.map(({ name }) =>
          finding('failed', name, 'it has not joined', `kubexm create cluster ${scene.named}`),
        ),
        ...seen.flatMap(({ name, status, why }) =>
          status === 'Ready' ? [] : [finding('failed', name, why, on(scene, name, 'journalctl -u kubelet -n 30'))],
        ),
        ...seen
          .filter(({ schedulable }) => !schedulable)
          .map(({ name }) => finding('warning', name, 'it takes no new pods', kubectlOn(scene, `uncordon ${name}`))),
      ],
    };
  },
};

const finding = (severity: HealthFinding['severity'], host: string, found: string, next: string): HealthFinding => ({
  host,
  severity,
  found,
  next,
});
