import type { ClusterRow } from '../../runtime/inspect/list-clusters.ts';
import { age } from '../format/age.ts';
import { defineCommand } from '../command.ts';
import type { Console, Table } from '../console.ts';
import { interruptible } from '../open-cluster.ts';
import { listOutput, printedAs } from '../format/print-as.ts';

export const getClusters = defineCommand({
  path: 'get clusters',
  summary: 'List the clusters that are known on this machine, and how they are',
  description:
    'Those of all contexts, and those that left something in .kubexm of the working directory. A master of each is asked, all at once; one that does not answer within 20 s is told as Unreachable.',
  options: { output: listOutput },
  examples: [
    { command: 'kubexm get clusters', does: 'Which clusters are there?' },
    { command: 'kubexm get clusters -o wide', does: 'With their files, and why one is not ready' },
    { command: "kubexm get clusters -o json | jq -r '.[].name'", does: 'For a script' },
  ],
  async run({ options, global, console }) {
    const { listClusters } = await import('../../runtime/inspect/list-clusters.ts');
    const clusters = await interruptible({ console }, ({ soft }) => {
      console.progress({ task: 'Asking the clusters' });
      return listClusters(global.workdir, soft);
    });
    if (await printedAs(console, options.output, clusters)) return;
    if (clusters.length === 0)
      return console.note('No clusters yet. Describe one: kubexm create config, then kubexm create cluster -f FILE');
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
