import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { appliedSpec, readApplied } from '../../../../src/config/model/applied.ts';
import { checkClusterText } from '../../../../src/config/load/check.ts';
import { loadCluster } from '../../../../src/config/load/load.ts';
import { chain, sequence } from '../../../../src/plan/fragment.ts';
import { toGraph } from '../../../../src/plan/graph.ts';
import { publishState } from '../../../../src/step/state/publish.ts';
import { saveLocalState } from '../../../../src/step/state/save.ts';
import { checksumNodeFiles } from '../../../../src/step/state/checksums.ts';
import { LOCAL } from '../../../../src/common/host.ts';
import { no, ok } from '../../../fake/fake-host.ts';
import { fakeWorld } from '../../../fake/fake-world.ts';
import { home } from '../../cli/kubexm.ts';

const CHECKSUM = 'a'.repeat(64);

async function world() {
  const cluster = await loadCluster('test/fixtures/kubeadm.yaml');
  const folder = join(home(), '.kubexm', 'prod');
  const names = cluster.hosts.map(({ name }) => name);
  const fakes = fakeWorld(names);
  let applied = '';
  for (const name of names) {
    fakes.fake(name).answer(/sha256sum/, () => ok(`${CHECKSUM}  /var/lib/kubelet/config.yaml\n`));
    fakes.fake(name).answer(/ get --raw \/readyz/, () => ok('ok'));
    fakes.fake(name).answer(/ apply --server-side/, (_, stdin) => ((applied = stdin), ok()));
    fakes
      .fake(name)
      .answer(/ get -f - /, () =>
        applied === '' ? no() : ok(`ConfigMap kube-system kubexm-state ${checksumIn(applied)}\n`),
      );
  }
  const [first] = fakes.hosts;
  const run = (given = cluster, hosts = fakes.hosts) =>
    fakes.run(
      toGraph(
        'state',
        sequence(
          chain(hosts, [checksumNodeFiles]),
          chain([LOCAL], [saveLocalState(given, folder)]),
          chain([first!], [publishState(folder)]),
        ),
      ),
    );
  const path = join(folder, 'state.json');
  return {
    cluster,
    run,
    path,
    fakes,
    state: () => readApplied(readFileSync(path, 'utf8'))!,
    published: () => JSON.parse(applied),
  };
}

const checksumIn = (text: string): string => Object.values<string>(JSON.parse(text).metadata.annotations)[0] ?? '';

it('saves the applied state here and in the cluster, readable only by the owner', async () => {
  const { run, path, state, published } = await world();
  expect((await run()).outcome).toBe('done');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(state()).toMatchObject({
    cluster: 'prod',
    run: 'test',
    versions: { kubelet: '1.35.4', coredns: '1.13.1' },
    spec: { kubernetes: { version: '1.35.4' }, network: { plugin: { type: 'flannel' } } },
    files: { node1: { '/var/lib/kubelet/config.yaml': CHECKSUM }, node4: {} },
  });
  expect(JSON.parse(published().data['state.json'])).toEqual(state());
});

it('writes the state only if it changed', async () => {
  const { run, state, fakes, cluster } = await world();
  await run();
  const before = state();
  expect((await run()).counts).toMatchObject({ done: 0 });
  expect(state()).toEqual(before);
  const changed = { ...cluster, kubernetes: { ...cluster.kubernetes, maxPods: 55 } };
  await run(changed);
  expect(fakes.eventLines('done')).toEqual(['done state.save@local', 'done state.publish@node1']);
  expect(state()).toMatchObject({ created: before.created, spec: { kubernetes: { maxPods: 55 } } });
});

it('keeps the checksums of hosts that are not part of the run', async () => {
  const { run, state, fakes } = await world();
  await run();
  await run(undefined, fakes.hosts.slice(0, 1));
  expect(Object.keys(state().files)).toEqual(['node1', 'node2', 'node3', 'node4']);
});

it('replaces a corrupt state', async () => {
  const { run, path, state } = await world();
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, '{"kind":"ClusterState","clus');
  await run();
  expect(state().cluster).toBe('prod');
});

it('contains no secrets, only their sources', () => {
  const canary = 'canary-4711';
  const file = `apiVersion: kubexm.mensylisir.io/v1alpha1
kind: Cluster
metadata: { name: test }
spec:
  hosts:
    - { name: node1, address: 192.168.10.11, password: ${canary}-a, sudoPassword: { env: SUDO }, passphrase: { exec: pass show key } }
  roleGroups: { etcd: [node1], master: [node1], worker: [node1] }
  system:
    preInstall: [{ name: login, bash: "login --with ${canary}-b" }]
  kubernetes:
    version: v1.35.4
    apiserver: { extraArgs: { oidc-client-secret: ${canary}-c } }
  registry:
    auths: { registry.example.com: { username: u, password: ${canary}-d } }
  addons:
    - { name: mine, type: helm, source: { url: "https://u:${canary}-e@example.com/c.tgz" }, values: { db: { password: ${canary}-f } } }
  artifacts: { mirror: "https://u:${canary}-g@mirror.example.com" }
`;
  const { cluster, diagnostics } = checkClusterText(file, 'cluster.yaml', {});
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const text = JSON.stringify(appliedSpec(cluster!));
  expect(text).not.toContain(canary);
  expect(text).toContain('"sudoPassword":{"type":"env","name":"SUDO"}');
  expect(text).toContain('"passphrase":{"type":"exec","command":"pass show key"}');
});
