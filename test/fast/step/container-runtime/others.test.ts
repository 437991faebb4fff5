import { expect, it } from 'vitest';
import { Secret } from '../../../../src/common/secret.ts';
import { loadCluster } from '../../../../src/config/load/load.ts';
import { localConnector } from '../../../../src/connector/local.ts';
import { packageNames, wantedPackages } from '../../../../src/step/host-requirements/packages.ts';
import { pullOnHost } from '../../../../src/step/container-runtime/shared/pull-on-host.ts';
import { fakeAssets } from '../../../fake/fake-assets.ts';
import { stepContexts } from '../../../lab/support/step-context.ts';
import { factsOf } from '../os/systems.ts';
import { changesOn } from '../os/changes-on.ts';

const password = new Secret('geheim');
const credentials = {
  'hub.example.com': { username: 'ann', password, ca: 'CA\n' },
  'docker.io': { username: 'bob', password },
};

/** The parts and the files they write; secret files are not shown. */
async function changesOf(system: string, ...overrides: readonly string[]): Promise<string> {
  const cluster = await loadCluster('test/fixtures/registries.yaml', { overrides });
  return changesOn(system, 'node1', cluster, 'container-runtime', credentials);
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
  const text = await changesOf(system, `${runtime}.type=${type}`, `${runtime}.from=${from}`);
  expect(text).not.toContain('geheim');
  expect(text).not.toContain(Buffer.from('ann:geheim').toString('base64'));
  await expect(text).toMatchFileSnapshot(`../../../golden/runtime/${type}-${from}-${system}.txt`);
});

it.each([
  ['docker', 'packages', 'debian-12', ['docker.io']],
  ['docker', 'packages', 'rocky-9', ['docker-ce', 'docker-ce-cli', 'containerd.io']],
  ['docker', 'release', 'debian-12', []],
  ['cri-o', 'packages', 'rocky-9', ['cri-o']],
  ['isulad', 'packages', 'openeuler-22.03', ['iSulad']],
  ['containerd', 'release', 'debian-12', []],
])('a bundle includes the packages of %s from %s for %s', async (type, from, system, names) => {
  const runtime = 'kubernetes.containerRuntime';
  const overrides = [`${runtime}.type=${type}`, `${runtime}.from=${from}`];
  const cluster = await loadCluster('test/fixtures/registries.yaml', { overrides });
  const node = cluster.hosts.find(({ name }) => name === 'node1')!;
  const facts = factsOf(system, 'node1');
  const known = packageNames(cluster, node, facts);
  expect(wantedPackages(cluster, node, facts).filter((name) => !known.includes(name))).toEqual(names);
});

it('names the missing image if a host has neither internet access nor a registry', async () => {
  const cluster = await loadCluster('examples/single-node.yaml');
  expect(cluster.registry.type).toBe('none');
  const step = pullOnHost('cri-o', cluster, fakeAssets(cluster, ['runtime']));
  const ctx = (await stepContexts(localConnector()))();
  const [part] = step.parts(ctx);
  await expect(part!.run(ctx)).rejects.toMatchObject({
    code: 'OFFLINE_IMAGE',
    message: expect.stringContaining('cri-o'),
  });
});
