import type { Endpoint } from '../../../config/model/cluster.ts';
import { count, commandOn, reachedHosts, type HealthCheck } from '../check.ts';

/** Tests the path that kubelets use, through the load balancer if there is one. */
export const endpoint: HealthCheck = {
  name: 'endpoint',
  condition: 'EndpointAnswers',
  evaluate: (input) => {
    const { domain, port } = input.cluster.endpoint;
    const probed = reachedHosts(input).flatMap(({ host, endpoint: result }) => (result ? [{ host, result }] : []));
    if (probed.length === 0) return { type: 'unknown', found: 'no node could be reached' };
    const failed = probed.filter(({ result }) => !result.ok);
    const address = `${domain}:${port}${balancerOf(input.cluster.endpoint)}`;
    return {
      type: 'evaluated',
      found:
        failed.length === 0
          ? `${address} is reachable from ${count(probed.length, 'node')}`
          : `${address} is reachable from ${probed.length - failed.length} of ${probed.length} nodes`,
      findings: failed.map(({ host, result }) => ({
        host: host.name,
        severity: 'failed',
        found: result.detail,
        next: commandOn(
          input,
          host.name,
          `getent hosts ${domain}; timeout 3 bash -c "exec 3<>/dev/tcp/${domain}/${port}" && echo connects`,
        ),
      })),
    };
  },
};

function balancerOf({ external, internal }: Endpoint): string {
  const names = [external.type, internal.type].filter((type) => type !== 'none');
  return names.length === 0 ? '' : ` (${names.join(', ')})`;
}
