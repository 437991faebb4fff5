import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { stringify } from 'yaml';
import { saveContext } from '../../../../src/state/contexts.ts';
import { home, kubexm } from '../../cli/kubexm.ts';

let folder = '';
beforeEach(() => {
  folder = home();
  vi.stubEnv('KUBEXM_HOME', folder);
});
afterEach(() => vi.unstubAllEnvs());

const call = (...args: string[]) => kubexm(['get', 'clusters', ...args], { KUBEXM_HOME: folder }, folder);

/** A local port without a listener. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 1;
}

async function fileOf(name: string): Promise<string> {
  const file = join(folder, `${name}.yaml`);
  const spec = {
    hosts: [{ name: 'node1', address: '127.0.0.1', port: await closedPort(), password: 'x', timeout: '2s' }],
    roleGroups: { etcd: ['node1'], master: ['node1'], worker: ['node1'] },
    kubernetes: { version: 'v1.35.4' },
  };
  const head = { apiVersion: 'kubexm.mensylisir.io/v1alpha1', kind: 'Cluster', metadata: { name } };
  writeFileSync(file, stringify({ ...head, spec }));
  return file;
}

function applied(name: string): void {
  const own = join(folder, '.kubexm', name);
  mkdirSync(own, { recursive: true });
  const times = { created: new Date().toISOString(), applied: new Date().toISOString() };
  const host = { name: 'node1', roles: ['master', 'worker'] };
  const spec = { hosts: [host], kubernetes: { version: '1.34.2' }, network: { plugin: { type: 'flannel' } } };
  const state = {
    kind: 'ClusterState',
    cluster: name,
    kubexm: '0.1.0',
    run: 'r',
    ...times,
    versions: {},
    spec,
    files: {},
  };
  writeFileSync(join(own, 'state.json'), JSON.stringify(state));
}

it('lists clusters of contexts and of the working directory with their status', async () => {
  await saveContext({ name: 'lost', file: join(folder, 'nowhere.yaml'), workdir: folder });
  await saveContext({ name: 'new', file: await fileOf('new'), workdir: folder });
  await saveContext({ name: 'away', file: await fileOf('away'), workdir: folder });
  applied('away');
  applied('old');
  mkdirSync(join(folder, '.kubexm', 'node1'), { recursive: true });
  const { stdout, exit } = await call();
  expect(exit).toBe(0);
  expect(stdout.replaceAll(/\d+s$/gm, 'AGE')).toBe(
    [
      'NAME   STATUS        KUBERNETES_VERSION   MASTERS   WORKERS   AGE',
      'away   Unreachable   v1.35.4              1         1         AGE',
      'lost   Unknown       -                    0         0         -',
      'new    NotCreated    v1.35.4              1         1         -',
      'old    Unknown       v1.34.2              1         1         AGE',
      '',
    ].join('\n'),
  );
});

it('includes the reason in JSON output', async () => {
  await saveContext({ name: 'away', file: await fileOf('away'), workdir: folder });
  const [row] = JSON.parse((await call('-o', 'json')).stdout);
  expect(row).toMatchObject({
    name: 'away',
    status: 'NotCreated',
    why: expect.stringContaining('node1'),
    current: true,
  });
  expect((await call('-o', 'yaml')).stdout).toContain('- name: away\n');
});

it('prints how to create the first cluster', async () => {
  const { stdout, stderr } = await call();
  expect(stdout).toBe('');
  expect(stderr).toContain('There are no clusters.');
});

it.each([
  [['health', 'cluster', '--wait', 'soon'], 2, 'is not a valid duration'],
  [['describe', 'cluster', 'prd'], 10, 'Context prd not found'],
  [['get', 'nodes'], 2, 'no current context'],
])('reports an error for %j', async (args, code, words) => {
  const { exit, stderr } = await kubexm(args, { KUBEXM_HOME: folder }, folder);
  expect(stderr).toContain(words);
  expect(exit).toBe(code);
});

it('prints the cluster file data of an unreachable cluster and exits with its own code', async () => {
  const file = await fileOf('away');
  const run = (...args: string[]) => kubexm([...args, '-f', file], { KUBEXM_HOME: folder }, folder);
  const nodes = await run('get', 'nodes');
  expect(nodes.stdout).toMatch(/^node1 +127\.0\.0\.1 +etcd,master,worker +Unknown/m);
  expect(nodes.exit).toBe(11);
  const described = await run('describe', 'cluster');
  expect(described.stdout).toMatch(/Status: +Unreachable/);
  expect(described.exit).toBe(11);
  const health = await run('health', 'cluster', '--wait', '1s');
  expect(health.stdout).toMatch(/^x hosts +0 of 1 hosts reachable/m);
  expect(health.stdout).toContain(`next    kubexm check hosts -f ${file} --nodes node1`);
  expect(health.exit).toBe(10);
});
