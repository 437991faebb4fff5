import type { Endpoint } from '../../../config/model/cluster.ts';
import { count, on, seenHosts, type HealthCheck } from '../check.ts';

/** Asked as kubelets ask: through the load balancer, where there is one. */
export const endpoint: HealthCheck = {
  name: 'endpoint',
  condition: 'EndpointAnswers',
  judge: (scene) => {
    const { domain, port } = scene.cluster.endpoint;
    const asked = seenHosts(scene).flatMap(({ host, endpoint: answer }) => (answer ? [{ host, answer }] : []));
    if (asked.length === 0) return { type: 'unknown', found: 'no node was reached' };
    const failed = asked.filter(({ answer }) => !answer.ok);
    const way = `${domain}:${port}${balancerOf(scene.cluster.endpoint)}`;
    return {
      type: 'judged',
      found:
        failed.length === 0
          ? `${way} answers ${count(asked.length, 'node')}`
          : `${way} answers ${asked.length - failed.length} of ${asked.length} nodes`,
      findings: failed.map(({ host, answer }) => ({
        host: host.name,
        severity: 'failed',
        found: answer.said,
        next: on(
          scene,
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
