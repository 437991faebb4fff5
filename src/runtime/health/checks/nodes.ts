import { isNode } from '../../../common/host.ts';
import {
  count,
  kubectlCommand,
  kubernetesState,
  commandOn,
  NO_API_SERVER,
  type HealthCheck,
  type HealthFinding,
} from '../check.ts';

export const nodes: HealthCheck = {
  name: 'nodes',
  condition: 'NodesReady',
  evaluate: (input) => {
    const registered = kubernetesState(input)?.nodes;
    if (!registered) return NO_API_SERVER;
    const known = new Set(registered.map(({ name }) => name));
    const missing = input.cluster.hosts.filter((host) => isNode(host) && !known.has(host.name));
    const ready = registered.filter(({ status }) => status === 'Ready').length;
    const all = registered.length + missing.length;
    return {
      type: 'evaluated',
      found: ready === all ? `${count(all, 'node')} ready` : `${ready} of ${all} nodes ready`,
      findings: [
        ...missing.map(({ name }) =>
          finding('failed', name, 'has not joined the cluster', `kubexm create cluster ${input.clusterFlag}`),
        ),
        ...registered.flatMap(({ name, status, why }) =>
          status === 'Ready'
            ? []
            : [finding('failed', name, why, commandOn(input, name, 'journalctl -u kubelet -n 30'))],
        ),
        ...registered
          .filter(({ schedulable }) => !schedulable)
          .map(({ name }) =>
            finding('warning', name, 'cordoned, no new pods are scheduled', kubectlCommand(input, `uncordon ${name}`)),
          ),
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
