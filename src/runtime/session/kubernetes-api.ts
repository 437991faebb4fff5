import { kubeconfigFile, kubernetesCertificates } from '../../common/cluster-files.ts';
import type { Host, Hosts } from '../../common/host.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { apiPort } from '../../config/model/ports.ts';
import type { Connector } from '../../connector/connector.ts';
import { openKubernetesApi, type OpenKubernetesApi } from '../../kubernetes-api/api.ts';
import type { ApiCredentials } from '../../kubernetes-api/transport.ts';
import { readPair } from '../../pki/store.ts';
import { sh } from '../../runner/command.ts';
import { adminCredentials } from '../../step/kubernetes/admin-credentials.ts';
import { ADMIN_CONF, kubectl } from '../../step/kubernetes-object/kubectl.ts';
import { clusterFolder } from '../../state/runs.ts';
import { readPrivateFile } from '../../util/private-file.ts';

/** What the API of a cluster is reached with. */
export interface ApiSource {
  readonly cluster: Cluster;
  readonly workdir: string;
  readonly hosts: Hosts;
  readonly connector: (host: Host) => Connector;
}

/** The API of a cluster through its masters, the first master first. Connects when it is first used. */
export function clusterApi({ cluster, workdir, hosts, connector }: ApiSource): OpenKubernetesApi {
  const folder = clusterFolder(workdir, cluster.name);
  const port = apiPort(cluster);
  const server = `https://127.0.0.1:${port}`;
  return openKubernetesApi(
    hosts.withRole('master').map((host) => ({
      connector: connector(host),
      port,
      credentials: [() => localCredentials(folder), () => masterCredentials(connector(host), folder)],
      kubectl: (args) => kubectl(sh`--server ${server} ${{ text: args, display: args }}`).text,
    })),
  );
}

/** The credentials in the kubeconfig that `create cluster` wrote on this machine; undefined if there are none. */
async function localCredentials(folder: string): Promise<ApiCredentials | undefined> {
  const path = kubeconfigFile(folder);
  const text = await readPrivateFile(path);
  if (text === undefined) return undefined;
  try {
    return adminCredentials({ text, host: 'this machine', path, knownCa: undefined });
  } catch {
    // Edited by its owner, for example to log in with a token; the master has another copy.
    return undefined;
  }
}

/** The credentials on a master. Their CA must be the one that this machine knows, if it knows one. */
async function masterCredentials(connector: Connector, folder: string): Promise<ApiCredentials | undefined> {
  const { exit, stdout: text } = await connector.query(sh`cat ${ADMIN_CONF}`.text);
  if (exit !== 0) return undefined;
  const local = await localCredentials(folder);
  const knownCa = local?.ca ?? (await readPair(kubernetesCertificates(folder), 'ca'))?.certificate;
  return adminCredentials({ text, host: connector.host, path: ADMIN_CONF, knownCa });
}
