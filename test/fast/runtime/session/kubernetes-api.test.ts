import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadCluster } from '../../../../src/config/load/load.ts';
import type { Connector } from '../../../../src/connector/connector.ts';
import { localTunnel } from '../../../../src/connector/tunnel.ts';
import { hostsOf } from '../../../../src/runtime/session/hosts.ts';
import { clusterApi } from '../../../../src/runtime/session/kubernetes-api.ts';
import { localAdminKubeconfig } from '../../../../src/step/kubernetes/kubeconfig.ts';
import { createApiPki, type ApiPki } from '../../../fake/api-pki.ts';
import { startApiServer } from '../../../fake/api-server.ts';
import { fakeHost, ok } from '../../../fake/fake-host.ts';
import { createObjectStore } from '../../../fake/object-store.ts';

let workdir: string;
beforeEach(() => {
  workdir = mkdtempSync(join(tmpdir(), 'kubexm-api-'));
});
afterEach(() => rmSync(workdir, { recursive: true }));

const own = await createApiPki();
const other = await createApiPki();

/** The nodes of a cluster with one node; `local` and `remote` are the kubeconfigs on this machine and on the master. */
async function listNodes({ local, remote }: { readonly local?: ApiPki; readonly remote?: ApiPki }) {
  const store = createObjectStore();
  store.put('/api/v1/nodes/node1', {});
  await using server = await startApiServer({ pki: own, store });
  const { port } = server;
  const overrides = [`kubernetes.apiserver.extraArgs.secure-port="${port}"`, `controlPlaneEndpoint.port=${port}`];
  const cluster = await loadCluster('test/fixtures/kubeadm.yaml', { overrides });
  const hosts = hostsOf(cluster);
  const [first] = hosts.withRole('master');
  const kubeconfig = ({ admin }: ApiPki) => localAdminKubeconfig(admin, cluster, first!);
  const folder = join(workdir, '.kubexm', cluster.name);
  mkdirSync(folder, { recursive: true });
  if (local) writeFileSync(join(folder, 'kubeconfig'), kubeconfig(local), { mode: 0o600 });
  const read: string[] = [];
  const connector = ({ name }: { readonly name: string }): Connector => {
    const fake = fakeHost(name);
    fake.answer(
      /admin\.conf/,
      ([script]) => (read.push(script), remote ? ok(kubeconfig(remote)) : { ...ok(), exit: 1 }),
    );
    return { ...fake, tunnel: localTunnel };
  };
  await using api = clusterApi({ cluster, workdir, hosts, connector });
  const nodes = await api
    .bind()
    .list('nodes', {}, { timeoutMs: 3000 })
    .catch((error: Error) => error);
  return { nodes, read, requests: server.requests };
}

it('uses the kubeconfig on this machine and reads no credentials from the master', async () => {
  const { nodes, read } = await listNodes({ local: own, remote: other });
  expect(nodes).toHaveLength(1);
  expect(read).toEqual([]);
});

it('uses the credentials on the master if this machine has none', async () =>
  expect((await listNodes({ remote: own })).nodes).toHaveLength(1));

it('sends nothing to an API server whose CA is not the one that this machine knows', async () => {
  const { nodes, requests } = await listNodes({ local: other, remote: own });
  expect(nodes).toMatchObject({ code: 'API_UNAVAILABLE' });
  expect(requests).toEqual([]);
});

it('fails if there are no credentials', async () =>
  expect((await listNodes({})).nodes).toMatchObject({ message: expect.stringContaining('no credentials') }));
