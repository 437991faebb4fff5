import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hash } from 'bcryptjs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { Secret } from '../../../../src/common/secret.ts';
import { loadCluster } from '../../../../src/config/load/load.ts';
import type { Cluster } from '../../../../src/config/model/cluster.ts';
import { portsOf } from '../../../../src/config/model/ports.ts';
import { registryHosts } from '../../../../src/config/model/registry-hosts.ts';
import { createClusterPipeline } from '../../../../src/pipeline/cluster/create.ts';
import { nodesOf } from '../../../../src/plan/graph.ts';
import { plan } from '../../../../src/runtime/plan/plan.ts';
import { withOwnRegistry } from '../../../../src/runtime/session/own-registry.ts';
import { registryFiles } from '../../../../src/step/container-runtime/containerd/registries.ts';
import { loginsByHost } from '../../../../src/step/container-runtime/shared/registry-access.ts';
import type { Runner } from '../../../../src/runner/runner.ts';
import type { GenericStep } from '../../../../src/step/contract/part.ts';
import { makeRegistryPassword } from '../../../../src/step/registry/password.ts';
import { passwordFile } from '../../../../src/step/registry/password-file.ts';
import { serveRegistry } from '../../../../src/step/registry/serve.ts';
import { verifyRegistry } from '../../../../src/step/registry/verify.ts';
import { registryConfig } from '../../../../src/template/registry.ts';
import { fakeAssets } from '../../../fake/fake-assets.ts';
import { fakeContext } from '../../../fake/fake-context.ts';
import { fakeHost } from '../../../fake/fake-host.ts';
import { fakeRunner } from '../../../fake/fake-runner.ts';
import { home } from '../../cli/kubexm.ts';
import { testRegistry } from '../../resource/support/registry.ts';

const NAME = 'images.example.com';
const CONFIG = '/etc/kubexm/registry/config.yml';
const load = (...overrides: readonly string[]) =>
  loadCluster('examples/ha-haproxy.yaml', {
    overrides: ['roleGroups.registry=["node1"]', `registry.privateRegistry=${NAME}`, ...overrides],
  });

function distribution({ registry }: Cluster) {
  if (registry.type !== 'registry') throw new TypeError('expected the registry of kubexm');
  return registry;
}

/** The context of a host with these files, all written by root. */
function hostWith(files: Map<string, string>) {
  const fake = fakeHost('node1');
  const runner: Runner = Object.create(fakeRunner(fake), {
    stat: {
      value: async (path: string) => (files.has(path) ? { type: 'file', mode: 0o644, owner: 'root:root' } : undefined),
    },
    read: { value: async (path: string) => files.get(path) },
    write: { value: async ({ path, content }: { path: string; content: string }) => void files.set(path, content) },
  });
  const host = { name: 'node1', address: '192.0.2.1', roles: ['registry'] as const };
  return fakeContext(host, fake, { runner });
}

const partFor = (parts: readonly GenericStep[], key: string) => parts.find((part) => part.key === key)!;

const PATHS = {
  certificate: '/etc/kubexm/registry/tls.crt',
  key: '/etc/kubexm/registry/tls.key',
  passwords: '/etc/kubexm/registry/htpasswd',
};

/** The configuration that earlier versions wrote for a registry without a user. */
const OPEN = registryConfig({
  port: 443,
  dataDir: '/mnt/registry',
  paths: PATHS,
  tls: true,
  login: false,
  readOnly: false,
});

it('requires a login that kubexm generates if the cluster file sets none', async () => {
  const cluster = await load();
  const files = new Map<string, string>();
  const ctx = hostWith(files);
  const parts = serveRegistry(distribution(cluster), fakeAssets(cluster), 'when hosts have the password').parts(ctx);
  const config = partFor(parts, `file:${CONFIG}`);
  expect(await config.precheck(ctx)).toMatchObject({ done: false });
  await config.run(ctx);
  expect(parse(files.get(CONFIG)!)).toMatchObject({
    auth: { htpasswd: { path: PATHS.passwords } },
    http: { addr: ':443' },
  });
});

it('keeps a registry without a login open until hosts have the password, and closes it then', async () => {
  const cluster = await load();
  const files = new Map([[CONFIG, OPEN]]);
  const ctx = hostWith(files);
  const parts = (login: Parameters<typeof serveRegistry>[2]) =>
    serveRegistry(distribution(cluster), fakeAssets(cluster), login).parts(ctx);
  expect(await partFor(parts('when hosts have the password'), `file:${CONFIG}`).precheck(ctx)).toEqual({ done: true });
  const closing = partFor(parts('now'), `file:${CONFIG}`);
  expect(await closing.precheck(ctx)).toMatchObject({ done: false });
  await closing.run(ctx);
  expect(files.get(CONFIG)).toContain('htpasswd');
  expect(await partFor(parts('when hosts have the password'), `file:${CONFIG}`).precheck(ctx)).toEqual({ done: true });
});

it('gives all hosts the password before the registry requires it', async () => {
  const cluster = await load();
  const nodes = nodesOf(plan(createClusterPipeline({ preflight: 'skip' }), cluster, fakeAssets(cluster)));
  const at = (name: string) => nodes.flatMap(({ step }, index) => (step.name === name ? [index] : []));
  const [installing, requiring] = at('registry.serve');
  const hosts = at('containerd.run');
  expect(hosts).toHaveLength(cluster.hosts.length);
  expect(installing).toBeLessThan(Math.min(...hosts));
  expect(requiring).toBeGreaterThan(Math.max(...hosts));
});

it('generates the password once, readable only by its owner, and never prints it', async () => {
  const folder = join(home(), 'prod');
  const lines: string[] = [];
  const ctx = { ...hostWith(new Map()), say: (line: string) => void lines.push(line) };
  const [part] = makeRegistryPassword(folder).parts(ctx);
  expect(await part!.precheck(ctx)).toMatchObject({ done: false });
  await part!.run(ctx);
  const path = join(folder, 'registry/password');
  const password = readFileSync(path, 'utf8').trim();
  expect(password.length).toBeGreaterThanOrEqual(24);
  expect([statSync(path).mode & 0o777, statSync(join(folder, 'registry')).mode & 0o777]).toEqual([0o600, 0o700]);
  expect(await part!.precheck(ctx)).toEqual({ done: true });
  await part!.run(ctx);
  expect(readFileSync(path, 'utf8').trim()).toBe(password);
  expect(lines.join('\n')).not.toContain(password);
});

/** The credentials of the cluster's own registry, after the password was generated. */
async function ownCredentials(cluster: Cluster) {
  const folder = join(home(), 'prod');
  const ctx = hostWith(new Map());
  await makeRegistryPassword(folder).parts(ctx)[0]!.run(ctx);
  const password = readFileSync(join(folder, 'registry/password'), 'utf8').trim();
  return { credentials: withOwnRegistry({}, cluster, folder), password };
}

it('lets hosts pull with the generated password', async () => {
  const cluster = await load();
  const { credentials, password } = await ownCredentials(cluster);
  const hosts = registryHosts(cluster);
  expect(loginsByHost(hosts, credentials)).toEqual({ [NAME]: { username: 'kubexm', password } });
  const mirrored = registryFiles(hosts, credentials).find(({ name }) => name === 'registry.k8s.io/hosts.toml')!;
  expect(mirrored.content).toContain(Buffer.from(`kubexm:${password}`).toString('base64'));
  expect(mirrored.secret).toBe(true);
});

it('does not give hosts a password if everyone may pull, and pushes to the next port', async () => {
  const cluster = await load('registry.anonymousPull=true');
  const { credentials, password } = await ownCredentials(cluster);
  expect(loginsByHost(registryHosts(cluster), credentials)).toEqual({});
  expect(credentials[`${NAME}:444`]?.password?.reveal()).toBe(password);
  expect(portsOf(cluster, cluster.hosts[0]!).ports.map(({ port }) => port)).toEqual(expect.arrayContaining([443, 444]));
});

it('serves pulls without a login from a registry that rejects changes', async () => {
  const cluster = await load('registry.anonymousPull=true');
  const files = new Map<string, string>();
  const ctx = hostWith(files);
  const parts = serveRegistry(distribution(cluster), fakeAssets(cluster), 'now').parts(ctx);
  const [main, open] = [CONFIG, '/etc/kubexm/registry/read-only.yml'];
  for (const path of [main, open]) await partFor(parts, `file:${path}`).run(ctx);
  expect(parse(files.get(main)!)).toMatchObject({ http: { addr: ':444' }, auth: { htpasswd: {} } });
  expect(parse(files.get(open)!)).toMatchObject({
    http: { addr: ':443' },
    storage: { maintenance: { readonly: { enabled: true } } },
  });
  expect(parse(files.get(open)!)).not.toHaveProperty('auth');
  expect(parts.map(({ key }) => key)).toContain('service:kubexm-registry-read-only.service');
});

it('detects a registry that answers without credentials, unless it may stay open for now', async () => {
  const login = { username: 'kubexm', password: new Secret('correct horse'), plainHTTP: true };
  const findings = async (options: Parameters<typeof testRegistry>[0]) => {
    const { host } = await testRegistry(options);
    const cluster = await load(`registry.privateRegistry=${host}`);
    const ctx = hostWith(new Map());
    const check = (anonymous: 'accepted' | 'rejected') =>
      verifyRegistry(distribution(cluster), { credentials: { [host]: login } }, anonymous)
        .parts(ctx)[0]!
        .precheck(ctx);
    return Promise.all([check('rejected'), check('accepted')]);
  };
  expect(await findings({})).toEqual([{ done: false, because: 'accepts anonymous access' }, { done: true }]);
  const closed = { auth: { type: 'basic', user: 'kubexm', password: 'correct horse' } } as const;
  expect(await findings(closed)).toEqual([{ done: true }, { done: true }]);
});

it('stores passwords with a bcrypt cost of at least 10, and keeps hashes of earlier versions', async () => {
  const files = new Map<string, string>();
  const ctx = hostWith(files);
  const path = '/etc/kubexm/registry/htpasswd';
  const part = passwordFile({ path, owner: 'root:root', username: 'ann', password: new Secret('correct horse') });
  await part.run(ctx);
  expect(Number(/^ann:\$2[aby]\$(\d+)\$/.exec(files.get(path)!)?.[1])).toBeGreaterThanOrEqual(10);
  const differs = 'user or password differs';
  files.set(path, `ann:${await hash('correct horse', 6)}\n`);
  expect(JSON.stringify(await part.precheck(ctx))).not.toContain(differs);
  files.set(path, `ann:${await hash('other', 6)}\n`);
  expect(JSON.stringify(await part.precheck(ctx))).toContain(differs);
});
