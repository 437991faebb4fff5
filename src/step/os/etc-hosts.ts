import type { Cluster } from '../../config/model/cluster.ts';
import type { Command } from '../../runner/command.ts';
import { hostsBlock } from '../../template/etc-hosts.ts';
import { hasBlock, managedBlock } from '../common/managed-block.ts';
import { defineStep } from '../contract/step.ts';
import { clusterHost } from '../contract/cluster-host.ts';

/** Makes all hosts resolve each other, the API endpoint and the registry by name. */
export function etcHosts(cluster: Cluster) {
  const checks = new Map<string, Command>();
  return defineStep({
    name: 'os.hosts',
    summary: 'Write /etc/hosts',
    reversible: true,
    parts: ({ host }) => {
      const block = {
        path: '/etc/hosts',
        marker: cluster.name,
        content: hostsBlock(cluster, clusterHost(cluster, host)),
        // Some systems map the host's own name to a loopback address further down.
        first: true,
      };
      // Each host has a line for every other one: reading them all would take quadratic time. Most hosts share the check.
      const isUnchanged = checks.get(block.content) ?? hasBlock(block);
      checks.set(block.content, isUnchanged);
      return [managedBlock({ ...block, isUnchanged })];
    },
  });
}
