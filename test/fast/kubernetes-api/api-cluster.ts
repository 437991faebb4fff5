import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret } from '../../../src/common/secret.ts';
import { knownHosts } from '../../../src/connector/known-hosts.ts';
import { sshConnector } from '../../../src/connector/ssh.ts';
import { openKubernetesApi, type KubernetesApi } from '../../../src/kubernetes-api/api.ts';
import type { MasterAccess } from '../../../src/kubernetes-api/masters.ts';
import type { ApiBinding } from '../../../src/kubernetes-api/options.ts';
import type { ApiCredentials } from '../../../src/kubernetes-api/transport.ts';
import { createApiPki, type ApiPki } from '../../fake/api-pki.ts';
import { startApiServer, type ApiServer } from '../../fake/api-server.ts';
import { createObjectStore, type ObjectStore } from '../../fake/object-store.ts';
import { startSshServer } from '../../fake/ssh-server.ts';

/** Local API servers behind local SSH servers, and a client for them. */
export interface ApiCluster extends AsyncDisposable {
  readonly store: ObjectStore;
  readonly servers: readonly ApiServer[];
  readonly api: KubernetesApi;
  bind(binding: ApiBinding): KubernetesApi;
  /** Drops the SSH connection of a master. */
  disconnect(master: number): void;
}

export interface ApiClusterOptions {
  readonly masters?: number;
  /** The masters whose API server is not ready. */
  readonly notReady?: readonly number[];
  readonly credentials?: (pki: ApiPki) => readonly (() => Promise<ApiCredentials | undefined>)[];
  /** The names in the certificate of the API servers. */
  readonly names?: readonly string[];
}

export async function startApiCluster(options: ApiClusterOptions = {}): Promise<ApiCluster> {
  const { masters = 1, notReady = [], credentials = ({ admin }) => [() => Promise.resolve(admin)], names } = options;
  const opened: (Disposable | AsyncDisposable)[] = [];
  const use = <T extends Disposable | AsyncDisposable>(resource: T): T => (opened.push(resource), resource);
  const folder = mkdtempSync(join(tmpdir(), 'kubexm-api-'));
  const known = knownHosts(join(folder, 'known_hosts'));
  const pki = await createApiPki(names);
  const store = createObjectStore();
  const servers: ApiServer[] = [];
  const hosts: Disposable[] = [];
  const access: MasterAccess[] = [];
  for (let number = 0; number < masters; number++) {
    const ready = !notReady.includes(number);
    const server = use(await startApiServer({ pki, store, ready }));
    const ssh = use(await startSshServer({ address: '127.0.0.1', password: 'secret' }));
    const target = { name: `node${number + 1}`, address: '127.0.0.1', port: ssh.port, user: 'root', timeoutMs: 2000 };
    const connector = use(sshConnector({ ...target, password: new Secret('secret') }, known));
    servers.push(server);
    hosts.push(ssh);
    access.push({ connector, port: server.port, credentials: credentials(pki), kubectl: () => 'exit 1' });
  }
  const client = use(openKubernetesApi(access));
  return {
    store,
    servers,
    api: client.bind(),
    bind: (binding) => client.bind(binding),
    disconnect: (master) => hosts[master]?.[Symbol.dispose](),
    async [Symbol.asyncDispose]() {
      for (const each of opened.toReversed())
        await (Symbol.asyncDispose in each ? each[Symbol.asyncDispose]() : each[Symbol.dispose]());
      rmSync(folder, { recursive: true });
    },
  };
}
