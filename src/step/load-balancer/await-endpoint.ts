import type { Cluster } from '../../config/model/cluster.ts';
import { endpointServer } from '../../config/model/addresses.ts';
import { sh } from '../../runner/command.ts';
import { waitUntil } from '../common/wait-until.ts';
import { defineStep, type Step } from '../contract/step.ts';

/** Waits until a master can reach the API server through the cluster endpoint, including its load balancer. */
export const awaitEndpoint = (cluster: Cluster): Step => {
  const { domain, port } = cluster.endpoint;
  const url = endpointServer(cluster);
  return defineStep({
    name: 'load-balancer.reach',
    summary: `Wait until the API server is reachable at ${domain}:${port}`,
    parts: () => [
      waitUntil({
        key: 'wait:api-endpoint',
        summary: `the API server is reachable at ${url}`,
        condition: sh`PATH=/usr/local/bin:$PATH; [ -n "$(command -v kubectl)" ] && timeout 10 kubectl --kubeconfig /etc/kubernetes/admin.conf --server ${url} --request-timeout 5s get --raw /readyz >/dev/null`,
        timeoutMs: 120_000,
      }),
    ],
  });
};
