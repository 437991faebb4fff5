import { expect, it } from 'vitest';
import { loadCluster } from '../../../../src/config/load/load.ts';
import { clusterDigest } from '../../../../src/runtime/run/record-run.ts';

const FILE = 'test/fixtures/prepare-os.yaml';
const cluster = await loadCluster(FILE);

it('does not depend on key order', async () => {
  expect(clusterDigest(await loadCluster(FILE))).toBe(clusterDigest(cluster));
  const reversed = Object.fromEntries(Object.entries(cluster).toReversed());
  expect(clusterDigest(Object.assign(reversed, cluster))).toBe(clusterDigest(cluster));
});

it('changes with any setting', () => {
  expect(clusterDigest({ ...cluster, name: `${cluster.name}-2` })).not.toBe(clusterDigest(cluster));
});
