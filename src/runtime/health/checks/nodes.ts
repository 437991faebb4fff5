import { isNode } from '../../../common/host.ts';
import { count, kubernetesState, commandOn, NO_API_SERVER, type HealthCheck, type HealthFinding } from '../check.ts';

export const nodes: HealthCheck = {
  name: 'nodes',
  condition: 'NodesReady',
  evaluate: (input) => {
    const registered = kubernetesState(input)?.nodes;
    if (!registered) return NO_API_SERVER;
    const known = new Set(registered.map(({ name }) => name));
    const inFile = new Set(input.cluster.hosts.map(({ name }) => name));
    const missing = input.cluster.hosts.filter((host) => isNode(host) && !known.has(host.name));
    const logs = (name: string) => commandOn(input, name, 'journalctl -u kubelet -n 30');
    const remove = (name: string) => `kubexm delete nodes ${input.clusterFlag} --nodes ${name}`;
    const ready = registered.filter(({ status }) => status === 'Ready').length;
    const all = registered.length + missing.length;
    return {
      type: 'evaluated',
      found: ready === all ? `${count(all, 'node')} ready` : `${ready} of ${all} nodes ready`,
      findings: [
        ...missing.map(({ name }) =>
          finding('failed', name, 'has not joined the cluster', `kubexm add nodes ${input.clusterFlag}`),
        ),
        ...registered
          .filter(({ status }) => status !== 'Ready')
          .map(({ name, why }) => finding('failed', name, why, inFile.has(name) ? logs(name) : remove(name))),
        ...registered
          .filter(({ name }) => !inFile.has(name))
          .map(({ name }) => finding('warning', name, 'not in the cluster file', remove(name))),
        ...registered
          .filter(({ schedulable }) => !schedulable)
          .map(({ name }) =>
            finding(
              'warning',
              name,
              'cordoned, no new pods are scheduled',
              `kubexm uncordon node ${name} ${input.clusterFlag}`,
            ),
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
