import type { Secret } from '../../common/secret.ts';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import { apiPort } from '../../config/model/ports.ts';
import { typeMeta, kubeadmApi } from './api.ts';
import { clusterConfiguration, replacesKubeProxy, type ClusterConfigurationOptions } from './cluster-configuration.ts';
import { yamlDocuments } from '../yaml-documents.ts';
import { kubeProxyConfiguration, type ProxyMode } from './kube-proxy-configuration.ts';
import { kubeletConfiguration } from './kubelet-configuration.ts';
import { nodeRegistration } from './node-registration.ts';

/** Options of `kubeadm init`. */
export interface InitOptions extends Omit<ClusterConfigurationOptions, 'api'> {
  readonly host: ClusterHost;
  readonly proxyMode: ProxyMode;
  /** Bootstrap token for the first master only. */
  readonly token: Secret;
  /** kubeadm preflight checks to ignore. */
  readonly ignoredChecks: readonly string[];
  /** Folder on the host with kubeadm patches. */
  readonly patches: string | undefined;
}

/** The configuration file of `kubeadm init`. */
export function kubeadmInit(options: InitOptions): string {
  const { cluster } = options;
  const api = kubeadmApi(cluster.kubernetes.version);
  return yamlDocuments([
    initConfiguration(options),
    clusterConfiguration({ ...options, api }),
    kubeletConfiguration(cluster),
    ...(replacesKubeProxy(cluster) ? [] : [kubeProxyConfiguration(cluster, options.proxyMode)]),
  ]);
}

function initConfiguration({ cluster, host, token, ignoredChecks, patches }: InitOptions): object {
  const api = kubeadmApi(cluster.kubernetes.version);
  return {
    ...typeMeta(api, 'InitConfiguration'),
    bootstrapTokens: [
      { token: token.reveal(), ttl: '1h0m0s', usages: ['signing', 'authentication'], groups: [BOOTSTRAP_GROUP] },
    ],
    localAPIEndpoint: localApi(cluster, host),
    nodeRegistration: withIgnoredChecks(nodeRegistration(cluster, host, api), ignoredChecks),
    ...(patches !== undefined && { patches: { directory: patches } }),
    // v1beta3 has no field to disable kube-proxy.
    ...(api === 'v1beta3' && replacesKubeProxy(cluster) && { skipPhases: ['addon/kube-proxy'] }),
  };
}

/** Group of bootstrap tokens, which may request node certificates. */
export const BOOTSTRAP_GROUP = 'system:bootstrappers:kubeadm:default-node-token';

export const localApi = (cluster: Cluster, { internalAddresses }: ClusterHost): object => ({
  advertiseAddress: internalAddresses[0],
  bindPort: apiPort(cluster),
});

export const withIgnoredChecks = (registration: object, ignoredChecks: readonly string[]): object =>
  ignoredChecks.length === 0 ? registration : { ...registration, ignorePreflightErrors: ignoredChecks };
