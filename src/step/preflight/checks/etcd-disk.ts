import { defineCheck } from '../check.ts';

export const etcdDisk = defineCheck({
  id: 'PF17',
  title: 'etcd disk',
  about:
    'The p99 latency of 200 synced writes of 2,300 bytes, similar to etcd WAL writes, is below 10 ms on the file system of the etcd data directory. A median above the heartbeat interval is an error.',
  severities: ['error', 'warning'],
  each: ({ probe: { syncedWrites: writes } }, { cluster }) => {
    if (cluster.etcd.type === 'external') return [];
    const [p99, p50] = [quantile(writes, 0.99), quantile(writes, 0.5)];
    if (p99 === undefined || p50 === undefined || p99 < 0.01) return [];
    return [
      {
        // If half of the writes exceed the heartbeat interval, members consider each other dead.
        severity: p50 * 1000 < cluster.etcd.heartbeatInterval ? 'warning' : 'error',
        found: `latency of synced writes in ${cluster.etcd.dataDir}: p99 ${milliseconds(p99)}, p50 ${milliseconds(p50)}`,
        wanted: 'p99 below 10 ms',
        fix: 'Set etcd.dataDir in the cluster file to a directory on a dedicated SSD',
      },
    ];
  },
});

/** The smallest value that this share of the numbers does not exceed. */
export function quantile(numbers: readonly number[], share: number): number | undefined {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
}

const milliseconds = (seconds: number) => `${(seconds * 1000).toFixed(1)} ms`;
