import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LOCAL } from '../../../src/common/host.ts';
import { loadCluster } from '../../../src/config/load/load.ts';
import type { Cluster } from '../../../src/config/model/cluster.ts';
import { createClusterPipeline } from '../../../src/pipeline/cluster/create.ts';
import { nodesOf, type PlanNode } from '../../../src/plan/graph.ts';
import { plan } from '../../../src/runtime/plan/plan.ts';
import { hostsOf } from '../../../src/runtime/session/hosts.ts';
import { fakeAssets } from '../../fake/fake-assets.ts';
import { fakeContext } from '../../fake/fake-context.ts';
import { fakeHost, ok } from '../../fake/fake-host.ts';

const folder = mkdtempSync(join(tmpdir(), 'kubexm-secret-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The steps that create certificates and keys on this machine. */
const LOCAL_STEPS = new Set([
  'etcd.certificates',
  'registry.certificates',
  'kubernetes.certificates',
  'kubernetes.kubeconfigs',
  'apiserver.encryption-key',
]);

let cluster: Cluster;
let nodes: readonly PlanNode[];
beforeAll(async () => {
  const overrides = ['kubernetes.type=kubexm', 'kubernetes.encryptionAtRest=true'];
  cluster = await loadCluster('test/fixtures/kubeadm.yaml', { overrides });
  const assets = { ...fakeAssets(cluster), folder };
  nodes = nodesOf(plan(createClusterPipeline({ preflight: 'skip' }), cluster, assets));
  for (const { step } of nodes.filter((node) => LOCAL_STEPS.has(node.step.name))) {
    const ctx = { ...contextOn(LOCAL), on: () => expect.fail('no host is connected') };
    for (const part of step.parts(ctx)) await part.run(ctx);
  }
}, 60_000);

const contextOn = (host: PlanNode['host'], changes: string[] = []) => {
  const fake = fakeHost(host.name);
  fake.answer(/^umask 022; mkdir -p -- (\S+) && chown (\S+) \S+ && chmod (\d+)/, ([, path, owner, mode]) => {
    changes.push(`${mode} ${owner} ${path}/`);
    return ok();
  });
  fake.answer(/^umask 022; mkdir -p/, () => ok());
  const upload = (_: unknown, { path, mode, owner }: { path: string; mode: number; owner: string }) => {
    changes.push(`${mode.toString(8)} ${owner} ${path}`);
    return Promise.resolve();
  };
  return fakeContext(host, { ...fake, upload }, { hosts: hostsOf(cluster) });
};

it('certificates, keys, kubeconfigs and data on hosts have these modes and owners', async () => {
  const changes: string[] = [];
  for (const { step, host } of nodes) {
    const ctx = contextOn(host, changes);
    // Programs and images have no file here.
    const parts = step.parts(ctx).filter(({ key }) => /^(uploaded|directory):/.test(key));
    for (const part of parts)
      await part.run(ctx).catch((error: Error & { code?: string }) => {
        if (!/FILE_NOT_FOUND|COMMAND_FAILED|fake hosts/.test(`${error.code} ${error.message}`)) throw error;
      });
  }
  const names = new RegExp(cluster.hosts.map(({ name }) => name).join('|'), 'g');
  const table = [...new Set(changes.map((line) => line.replaceAll(names, 'HOST')))].sort();
  await expect(`${table.join('\n')}\n`).toMatchFileSnapshot('../../golden/secret-files.txt');
  const secrets = table.filter((line) => /[-.]key(\.pem)?$|\.conf$|encryption/.test(line));
  expect(secrets.length).toBeGreaterThan(8);
  expect(secrets.filter((line) => !line.startsWith('600 '))).toEqual([]);
});

describe('on this machine', () => {
  const entries = () => readdirSync(folder, { recursive: true, withFileTypes: true });
  const modeOf = (path: string) => statSync(path).mode & 0o777;

  it('only certificates and public keys are readable by other users', () => {
    const files = entries().filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(20);
    const open = files.map(({ parentPath, name }) => join(parentPath, name)).filter((path) => modeOf(path) !== 0o600);
    expect(open.map((path) => basename(path)).filter((name) => !/\.(crt|pub)$/.test(name))).toEqual([]);
  });

  it('no folder with keys can be entered by other users', () => {
    const folders = entries().filter((entry) => entry.isDirectory());
    expect(folders.length).toBeGreaterThan(3);
    expect(folders.filter(({ parentPath, name }) => modeOf(join(parentPath, name)) !== 0o700)).toEqual([]);
  });
});
