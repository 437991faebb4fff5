import { expect, it } from 'vitest';
import { Secret } from '../../../src/common/secret.ts';
import { loadCluster } from '../../../src/config/load.ts';
import { changesOn, createPipeline } from '../os/changes-on.ts';

const password = new Secret('geheim');
const accesses = {
  'hub.example.com': { username: 'ann', password, ca: 'CA\n' },
  'docker.io': { username: 'bob', password },
};

/** Parts, and what they write; what only root may read is not shown. */
async function installing(system: string, ...overrides: readonly string[]): Promise<string> {
  const cluster = await loadCluster('test/fixtures/registries.yaml', { overrides });
  return changesOn(system, 'node1', cluster, 'container-runtime', createPipeline(cluster, accesses));
}

it.each([
  ['docker', 'release', 'debian-12'],
  ['docker', 'packages', 'debian-12'],
  ['docker', 'packages', 'rocky-9'],
  ['docker', 'packages', 'openeuler-22.03'],
  ['cri-o', 'release', 'debian-12'],
  ['cri-o', 'packages', 'rocky-9'],
  ['isulad', 'packages', 'openeuler-22.03'],
])('%s from %s on %s', async (type, from, system) => {
  const runtime = 'kubernetes.containerRuntime';
  const text = await installing(system, `${runtime}.type=${type}`, `${runtime}.from=${from}`);
  expect(text).not.toContain('geheim');
  expect(text).not.toContain(Buffer.from('ann:geheim').toString('base64'));
  await expect(text).toMatchFileSnapshot(`../../golden/runtime/${type}-${from}-${system}.txt`);
});
