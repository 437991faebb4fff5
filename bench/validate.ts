import { stringify } from 'yaml';
import { checkClusterText } from '../src/config/load/check.ts';
import { writeResults } from './results.ts';

/** Validation time of a cluster file by number of hosts. */
const rows = [10, 100, 1000, 5000].map((count) => {
  const text = stringify(clusterOf(count));
  const start = process.hrtime.bigint();
  const { diagnostics } = checkClusterText(text, 'bench.yaml');
  const ms = Number(process.hrtime.bigint() - start) / 1e6;
  if (diagnostics.some(({ severity }) => severity === 'error'))
    throw new Error(`the cluster file is invalid: ${JSON.stringify(diagnostics[0])}`);
  return `| ${count} | ${Math.round(text.length / 1024)} | ${ms.toFixed(0)} |`;
});
writeResults('validate', ['| hosts | file KB | ms |', '| --- | --- | --- |', ...rows]);

function clusterOf(count: number): object {
  const names = Array.from({ length: count }, (_, index) => `node${index + 1}`);
  return {
    apiVersion: 'kubexm.mensylisir.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name: 'bench' },
    spec: {
      hosts: names.map((name, index) => ({
        name,
        address: `198.18.${index >> 8}.${index & 255}`,
        labels: { rack: `r${index % 40}` },
      })),
      roleGroups: { etcd: ['node[1:3]'], master: ['node[1:3]'], worker: [`node[4:${count}]`] },
      controlPlaneEndpoint: { internalLoadbalancer: 'haproxy' },
      network: { kubePodsCIDR: '10.0.0.0/11', kubeServiceCIDR: '10.233.0.0/18' },
    },
  };
}
