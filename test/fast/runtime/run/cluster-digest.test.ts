import { expect, it } from 'vitest';
import { loadCluster } from '../../../../src/config/load/load.ts';
import { digestOf } from '../../../../src/runtime/run/cluster-digest.ts';

const FILE = 'test/fixtures/prepare-os.yaml';
const cluster = await loadCluster(FILE);

it('is the same for the same cluster, whatever the order of its keys', async () => {
  expect(digestOf(await loadCluster(FILE))).toBe(digestOf(cluster));
  const turned = Object.fromEntries(Object.entries(cluster).toReversed());
  expect(digestOf(Object.assign(turned, cluster))).toBe(digestOf(cluster));
});

it('is another one when a setting is', () => {
  expect(digestOf({ ...cluster, name: `${cluster.name}-2` })).not.toBe(digestOf(cluster));
});
