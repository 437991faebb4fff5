import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { home, kubexm } from '../kubexm.ts';
import { serveHosts } from '../../../fake/simulated-hosts.ts';

it('runs a command on many hosts without warnings of Node', async () => {
  const server = await serveHosts(0, (address) => ({
    bootId: 'b',
    query: () => Promise.resolve({ exit: 0, stdout: '', stderr: '' }),
    exec: (script) => Promise.resolve({ exit: 0, stdout: `${script} at ${address}\n`, stderr: '' }),
    upload: () => Promise.resolve('done'),
  }));
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new TypeError('the server has no TCP address');
  const { port } = bound;
  const names = Array.from({ length: 25 }, (_, at) => `node${at + 1}`);
  const hosts = names.map((name, at) => ({
    name,
    address: `127.0.1.${at + 1}`,
    port,
    user: 'root',
    password: 'test-only',
  }));
  const file = join(home(), 'cluster.yaml');
  const roleGroups = { etcd: ['node1'], master: ['node1'], worker: names.slice(1) };
  const spec = { hosts, roleGroups, kubernetes: { version: 'v1.35.4' }, network: { plugin: 'flannel' } };
  const cluster = { apiVersion: 'kubexm.mensylisir.io/v1alpha1', kind: 'Cluster', metadata: { name: 'many' }, spec };
  writeFileSync(file, stringify(cluster));
  const { exit, stdout, stderr } = await kubexm(['run', 'command', '-f', file, '--workdir', home(), '--', 'hello']);
  server.close();
  expect({ exit, warnings: stderr.match(/.*Warning.*/g) }).toEqual({ exit: 0, warnings: null });
  expect(stdout.trim().replaceAll(/ +/g, ' ').split('\n').toSorted()).toEqual(
    hosts.map(({ name, address }) => `${name} hello at ${address}`).toSorted(),
  );
}, 60_000);
