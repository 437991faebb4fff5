import { count, unreachableHosts, type HealthCheck } from '../check.ts';

export const hosts: HealthCheck = {
  name: 'hosts',
  condition: 'HostsReachable',
  evaluate: (input) => {
    const all = input.hosts.length;
    const unreachable = unreachableHosts(input);
    return {
      type: 'evaluated',
      found:
        unreachable.length === 0
          ? `${count(all, 'host')} reachable`
          : `${all - unreachable.length} of ${all} hosts reachable`,
      findings: [
        ...unreachable.map(({ host, reason }) => ({
          host: host.name,
          severity: 'failed' as const,
          found: reason,
          next: `kubexm check hosts ${input.clusterFlag} --nodes ${host.name}`,
        })),
        ...input.removedHosts.map((name) => ({
          host: name,
          severity: 'warning' as const,
          found: 'removed from the cluster, but not reset',
          next: `kubexm delete nodes ${input.clusterFlag} --cleanup ${name}`,
        })),
      ],
    };
  },
};
