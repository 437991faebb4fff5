import type { Secret } from '../../common/secret.ts';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import { typeMeta, kubeadmApi } from './api.ts';
import { yamlDocuments } from '../yaml-documents.ts';
import { localApi, withIgnoredChecks } from './init.ts';
import { nodeRegistration } from './node-registration.ts';

/** Options of `kubeadm join`. */
export interface JoinOptions {
  readonly cluster: Cluster;
  readonly host: ClusterHost;
  /** Path of the discovery kubeconfig, with endpoint and CA, on the node. */
  readonly discovery: string;
  readonly token: Secret;
  readonly ignoredChecks: readonly string[];
  readonly patches: string | undefined;
}

/** The configuration file of `kubeadm join`. */
export function kubeadmJoin(options: JoinOptions): string {
  const { cluster, host, discovery, token, ignoredChecks, patches } = options;
  const api = kubeadmApi(cluster.kubernetes.version);
  return yamlDocuments([
    {
      ...typeMeta(api, 'JoinConfiguration'),
      discovery: { file: { kubeConfigPath: discovery }, tlsBootstrapToken: token.reveal() },
      ...(host.roles.includes('master') && {
        controlPlane: { localAPIEndpoint: localApi(cluster, host) },
      }),
      nodeRegistration: withIgnoredChecks(nodeRegistration(cluster, host, api), ignoredChecks),
      ...(patches !== undefined && { patches: { directory: patches } }),
    },
  ]);
}
