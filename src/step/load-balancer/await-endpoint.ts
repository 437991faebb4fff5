import type { Cluster } from '../../config/model/cluster.ts';
import { endpointServer } from '../../config/model/addresses.ts';
import { sh } from '../../runner/command.ts';
import { waitUntil } from '../common/wait-until.ts';
import { defineStep, type Step } from '../contract/step.ts';

/** The API answers a master at the endpoint of the cluster, through whatever is in front of it. */
export const awaitEndpoint = (cluster: Cluster): Step => {
  const { domain, port } = cluster.endpoint;
  const url = endpointServer(cluster);
  return defineStep({
    name: 'load-balancer.reach',
    summary: `Ask for the API at ${domain}:${port}`,
    parts: () => [
      waitUntil({
        key: 'wait:api-endpoint',
        summary: `the API answers at ${url}`,
        condition: sh`PATH=/usr/local/bin:$PATH; [ -n "$(command -v kubectl)" ] && timeout 10 kubectl --kubeconfig /etc/kubernetes/admin.conf --server ${url} --request-timeout 5s get --raw /readyz >/dev/null`,
        timeoutMs: 120_000,
      }),
    ],
  });
};
