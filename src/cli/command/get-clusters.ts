import type { ClusterRow } from '../../runtime/inspect/list-clusters.ts';
import { defineCommand } from '../command.ts';
import type { Console, Table } from '../console.ts';
import { age } from '../format/time.ts';
import { showNewHostKeys } from '../format/host-key-text.ts';
import { interruptible } from '../interrupts.ts';
import { listOutput } from '../options/output.ts';

export const getClusters = defineCommand({
  path: 'get clusters',
  summary: 'List the clusters known on this machine and their status',
  description:
    'Lists the clusters of all contexts and the clusters with records in .kubexm in the working directory. Queries one master of each cluster in parallel; a cluster that does not respond within 20 s is Unreachable.',
  options: { output: listOutput },
  examples: [
    { command: 'kubexm get clusters', does: 'List all clusters' },
    { command: 'kubexm get clusters -o wide', does: 'Include the cluster file and why a cluster is not ready' },
    { command: "kubexm get clusters -o json | jq -r '.[].name'", does: 'Print only the names' },
  ],
  async run({ options, global, console }) {
    const { printStructured } = await import('../format/structured.ts');
    const { listClusters } = await import('../../runtime/inspect/list-clusters.ts');
    const clusters = await interruptible(console, ({ soft }) => {
      console.progress({ task: 'Querying the clusters' });
      return listClusters(global.workdir, soft, showNewHostKeys(console));
    });
    if (printStructured(console, options.output, clusters)) return;
    if (clusters.length === 0)
      return console.note(
        'There are no clusters. Create one: kubexm create config -f cluster.yaml, then kubexm create cluster -f cluster.yaml',
      );
    return console.table(...clusterTable(clusters, options.output === 'wide', console.color));
  },
});

export function clusterTable(clusters: readonly ClusterRow[], wide: boolean, color: Console['color']): Table {
  const head = ['NAME', 'STATUS', 'KUBERNETES_VERSION', 'MASTERS', 'WORKERS', 'AGE'];
  const rows = clusters.map((cluster) => {
    const { name, status, version, masters, workers, created } = cluster;
    const row = [name, paint(status, color), version && `v${version}`, String(masters), String(workers), age(created)];
    const { runtime, network, file, workdir, why } = cluster;
    return wide ? [...row, runtime, network, file, workdir, why] : row;
  });
  return [wide ? [...head, 'RUNTIME', 'NETWORK', 'FILE', 'WORKDIR', 'WHY'] : head, rows];
}

function paint(status: ClusterRow['status'], color: Console['color']): string {
  switch (status) {
    case 'Ready':
      return color.green(status);
    case 'Unhealthy':
    case 'Unreachable':
      return color.red(status);
    case 'NotCreated':
    case 'Unknown':
      return color.yellow(status);
  }
}
