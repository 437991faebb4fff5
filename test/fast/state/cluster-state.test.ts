import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeClusterState } from '../../../src/state/cluster-state.ts';

let workdir: string;
beforeEach(() => {
  workdir = mkdtempSync(join(tmpdir(), 'kubexm-state-'));
});
afterEach(() => rmSync(workdir, { recursive: true }));

const CREDENTIALS = [
  'certs/etcd/admin-node1.key',
  'certs/etcd/ca.key',
  'certs/kubernetes/ca.key',
  'certs/kubernetes/node1/admin.conf',
  'certs/registry/ca.key',
  'registry/harbor/admin-password',
];
const KEPT = ['certs/kubernetes/encryption.yaml', 'runs/20260101-000000-abcd/journal.jsonl'];
const REMOVED = ['kubeconfig', 'state.json', 'state.key'];

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

it.each([
  ['with its credentials, so that they do not open a new cluster of the same name', false, KEPT],
  ['without its credentials if its data is kept', true, [...CREDENTIALS, ...KEPT].sort()],
])('the local state of a deleted cluster is removed %s', async (_, keepData, left) => {
  const folder = join(workdir, '.kubexm', 'prod');
  for (const path of [...CREDENTIALS, ...KEPT, ...REMOVED].map((name) => join(folder, name))) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'x');
  }
  await removeClusterState(workdir, 'prod', keepData);
  expect(filesIn(folder)).toEqual(left);
});

it('a cluster without local state can be removed', async () => {
  await expect(removeClusterState(workdir, 'none', false)).resolves.toBeUndefined();
});
