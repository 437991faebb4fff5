import { defineCheck } from '../check.ts';

export const etcdDisk = defineCheck({
  id: 'PF17',
  title: 'Disk of etcd',
  about:
    'Of 200 writes of 2,300 bytes to the file system of the data directory, each synced as etcd syncs its log, 99% take less than 10 ms; an error when half of them take longer than a heartbeat.',
  severities: ['error', 'warning'],
  each: ({ probe: { syncedWrites: writes } }, { cluster }) => {
    if (cluster.etcd.type === 'external') return [];
    const [p99, p50] = [quantile(writes, 0.99), quantile(writes, 0.5)];
    if (p99 === undefined || p50 === undefined || p99 < 0.01) return [];
    return [
      {
        // With half of the writes slower than a heartbeat, members take each other for dead.
        severity: p50 * 1000 < cluster.etcd.heartbeatInterval ? 'warning' : 'error',
        found: `synced writes below ${cluster.etcd.dataDir}: 99% within ${milliseconds(p99)}, half within ${milliseconds(p50)}`,
        wanted: '99% within 10 ms',
        fix: 'In the file: etcd.dataDir: a directory on an SSD that nothing else writes to',
      },
    ];
  },
});

/** The least value that this share of them does not exceed. */
export function quantile(numbers: readonly number[], share: number): number | undefined {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
}

const milliseconds = (seconds: number) => `${(seconds * 1000).toFixed(1)} ms`;
