import type { Cluster } from '../../config/model/cluster.ts';
import { hostsBlock } from '../../template/etc-hosts.ts';
import { managedBlock } from '../common/managed-block.ts';
import { defineStep } from '../contract/step.ts';
import { clusterHost } from '../contract/cluster-host.ts';

/** Makes all hosts resolve each other, the API endpoint and the registry by name. */
export const etcHosts = (cluster: Cluster) =>
  defineStep({
    name: 'os.hosts',
    summary: 'Write /etc/hosts',
    reversible: true,
    parts: ({ host }) => [
      managedBlock({
        path: '/etc/hosts',
        marker: cluster.name,
        content: hostsBlock(cluster, clusterHost(cluster, host)),
        // Some systems map the host's own name to a loopback address further down.
        first: true,
      }),
    ],
  });
