import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appliedSpec, FREE_FORM_FIELDS, keyedDigest, readApplied } from '../../../../src/config/model/applied.ts';
import { checkClusterText } from '../../../../src/config/load/check.ts';
import { loadCluster } from '../../../../src/config/load/load.ts';
import { chain, sequence } from '../../../../src/plan/fragment.ts';
import { toGraph } from '../../../../src/plan/to-graph.ts';
import { publishState } from '../../../../src/step/state/publish.ts';
import { saveLocalState } from '../../../../src/step/state/save.ts';
import { checksumNodeFiles } from '../../../../src/step/state/checksums.ts';
import { LOCAL } from '../../../../src/common/host.ts';
import { no, ok } from '../../../fake/fake-host.ts';
import { fakeWorld } from '../../../fake/fake-world.ts';
import { home } from '../../cli/kubexm.ts';

/** kubexm owns all fields. */
const OWNED = JSON.stringify([{ manager: 'kubexm', fieldsV1: {} }]);
const CHECKSUM = 'a'.repeat(64);

async function world() {
  const cluster = await loadCluster('test/fixtures/kubeadm.yaml');
  const folder = join(home(), '.kubexm', 'prod');
  const names = cluster.hosts.map(({ name }) => name);
  const fakes = fakeWorld(names);
  let applied = '';
  let configMap: string | undefined;
  for (const name of names) {
    fakes.fake(name).answer(/sha256sum/, () => ok(`${CHECKSUM}  /var/lib/kubelet/config.yaml\n`));
    fakes.fake(name).answer(/ get --raw \/readyz/, () => ok('ok'));
    fakes.fake(name).answer(/ apply --server-side/, (_, stdin) => ((applied = stdin), ok()));
    fakes
      .fake(name)
      .answer(/ get -f - /, () =>
        applied === '' ? no() : ok(`Secret\tkube-system\tkubexm-state\t${checksumIn(applied)}\t${OWNED}\n`),
      );
    fakes
      .fake(name)
      .answer(/ get .*configmap kubexm-state .*-o name/, () =>
        ok(configMap === undefined ? '' : 'configmap/kubexm-state\n'),
      );
    fakes.fake(name).answer(/ get configmap kubexm-state .*jsonpath/, () => ok(configMap));
    fakes
      .fake(name)
      .answer(/ get secret kubexm-state .*jsonpath/, () =>
        ok(applied === '' ? '' : JSON.parse(applied).data['state.json']),
      );
    fakes.fake(name).answer(/ delete .*configmap kubexm-state/, () => ((configMap = undefined), ok()));
  }
  const [first] = fakes.hosts;
  const run = (given = cluster, hosts = fakes.hosts) =>
    fakes.run(
      toGraph(
        'state',
        sequence(
          chain(hosts, [checksumNodeFiles]),
          chain([LOCAL], [saveLocalState(given, folder, first!)]),
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
    setConfigMap: (text: string) => (configMap = text),
    configMap: () => configMap,
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
  expect(published().kind).toBe('Secret');
  expect(JSON.parse(Buffer.from(published().data['state.json'], 'base64').toString())).toEqual(state());
});

describe('the ConfigMap of an earlier version', () => {
  it('is removed when the Secret has the state', async () => {
    const { run, configMap, setConfigMap } = await world();
    setConfigMap('{}');
    expect((await run()).outcome).toBe('done');
    expect(configMap()).toBeUndefined();
  });

  it('is kept if the Secret cannot be read back', async () => {
    const { run, configMap, setConfigMap, fakes } = await world();
    setConfigMap('{}');
    fakes.fake('node1').fault(/ get secret kubexm-state/, { exit: 1 });
    expect((await run()).outcome).toBe('failed');
    expect(fakes.eventLines('failed').join()).toContain('state.publish@node1');
    expect(configMap()).toBe('{}');
  });

  it('tells a machine that lost its own state when the cluster was created', async () => {
    const [earlier, { run, state, setConfigMap }] = [await world(), await world()];
    await earlier.run();
    setConfigMap(JSON.stringify({ ...earlier.state(), created: '2024-01-01T00:00:00.000Z' }));
    await run();
    expect(state().created).toBe('2024-01-01T00:00:00.000Z');
  });
});

it('a changed free-form value is a changed cluster file, although only digests are kept', async () => {
  const { run, state, fakes, cluster } = await world();
  const withArgs = (secret: string) => ({
    ...cluster,
    kubernetes: { ...cluster.kubernetes, apiserver: { extraArgs: { 'oidc-client-secret': secret } } },
  });
  await run(withArgs('one'));
  const before = state();
  expect((await run(withArgs('one'))).counts).toMatchObject({ done: 0 });
  await run(withArgs('two'));
  expect(fakes.eventLines('done')).toEqual(['done state.save@local', 'done state.publish@node1']);
  expect(state().spec).not.toEqual(before.spec);
  expect(JSON.stringify(state().spec)).toMatch(/"oidc-client-secret":"hmac-sha256:[0-9a-f]{64}"/);
});

it('a state of an earlier version is read and rewritten without its free-form values', async () => {
  const { run, state, path, cluster } = await world();
  await run();
  const old = { ...state(), created: '2024-01-01T00:00:00.000Z', spec: { ...cluster, leaked: 'canary-4711' } };
  writeFileSync(path, JSON.stringify(old));
  await run();
  expect(readFileSync(path, 'utf8')).not.toContain('canary');
  expect(state().created).toBe('2024-01-01T00:00:00.000Z');
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

const canary = 'canary-4711';

/** Every field where a secret can be written down, known to the schema or not. */
const LEAKY = `apiVersion: kubexm.mensylisir.io/v1alpha1
kind: Cluster
metadata: { name: test }
spec:
  hosts:
    - { name: node1, address: 192.168.10.11, password: ${canary}-a, sudoPassword: { env: SUDO }, passphrase: { exec: pass show key } }
  roleGroups: { etcd: [node1], master: [node1], worker: [node1] }
  system:
    preInstall: [{ name: login, bash: "login --with ${canary}-b" }]
    postInstall: [{ name: login, bash: "login --with ${canary}-b" }]
  kubernetes:
    version: v1.35.4
    apiserver: { extraArgs: { oidc-client-secret: ${canary}-c, basic: ${canary}-h } }
    kubeletConfiguration: { staticPodURLHeader: { Authorization: ["Bearer ${canary}-i"] } }
    kubeProxyConfiguration: { clientConnection: { bearer: ${canary}-j } }
  etcd: { extraArgs: { listen-key: ${canary}-k } }
  network: { plugin: cilium, cilium: { values: { encryption: { ipsec: { key: ${canary}-l } } } } }
  dns: { coredns: { additionalConfigs: "tsig { secret x ${canary}-m }", rewriteBlock: "rewrite name ${canary}-n x" } }
  registry:
    auths: { registry.example.com: { username: u, password: ${canary}-d } }
  addons:
    - name: mine
      type: helm
      source: { url: "https://u:${canary}-e@example.com/c.tgz?sig=${canary}-o" }
      values:
        db: { password: ${canary}-f, pass: ${canary}-p, secretAccessKey: ${canary}-q, accessKey: ${canary}-r }
        adminPass: ${canary}-s
        tls: { privateKey: ${canary}-t }
        cloud: "[default]\\naws_secret_access_key=${canary}-u"
        env: [{ name: DB_PASSWORD, value: ${canary}-v }]
        callback: "https://example.com/?sig=${canary}-w"
  artifacts:
    mirror: "https://u:${canary}-g@mirror.example.com"
    overrides: { etcd: { url: "https://example.com/etcd.tgz?X-Amz-Signature=${canary}-x" } }
`;

it('contains no secrets, only their sources', () => {
  const { cluster, diagnostics } = checkClusterText(LEAKY, 'cluster.yaml', {});
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const text = JSON.stringify(appliedSpec(cluster!, keyedDigest('key')));
  expect(text).not.toContain(canary);
  expect(text).toContain('"sudoPassword":{"type":"env","name":"SUDO"}');
  expect(text).toContain('"passphrase":{"type":"exec","command":"pass show key"}');
  expect(text).toContain('"url":"https://•••@example.com/c.tgz?hmac-sha256:');
});

it('has digests that other machines cannot compute', () => {
  const { cluster } = checkClusterText(LEAKY, 'cluster.yaml', {});
  const specWith = (key: string) => appliedSpec(cluster!, keyedDigest(key));
  expect(specWith('one')).toEqual(specWith('one'));
  expect(specWith('one')).not.toEqual(specWith('two'));
});

it('knows every free-form field of the schema', () => {
  const schema: Schema = JSON.parse(readFileSync('schema/cluster.schema.json', 'utf8'));
  const open = [...openFields(schema)].map((path) => path.split('.').at(-1)!);
  expect(open.length).toBeGreaterThan(10);
  // Their values are defined by kubexm or are public: labels, booleans, credentials by reference, and versions.
  const known = new Set([...FREE_FORM_FIELDS, 'labels', 'featureGates', 'auths', 'overrides']);
  expect(open.filter((name) => !known.has(name))).toEqual([]);
});

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** The paths of objects with fields that the schema does not name. */
function* openFields(schema: Schema, path = ''): Generator<string> {
  const { properties = {}, additionalProperties: open, items, anyOf = [], oneOf = [] } = schema;
  if (typeof open === 'object') yield path;
  for (const [name, each] of Object.entries(properties)) yield* openFields(each, `${path}.${name}`);
  for (const each of [...anyOf, ...oneOf, ...(items ? [items] : [])]) yield* openFields(each, path);
}
