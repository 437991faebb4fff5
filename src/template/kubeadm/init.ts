import type { Secret } from '../../common/secret.ts';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import { apiPort } from '../../config/model/ports.ts';
import { kind, kubeadmApi } from './api.ts';
import { clusterConfiguration, replacesProxy, type ClusterConfigurationOptions } from './cluster-configuration.ts';
import { yamlDocuments } from '../yaml-documents.ts';
import { kubeProxyConfiguration, type ProxyMode } from './kube-proxy-configuration.ts';
import { kubeletConfiguration } from './kubelet-configuration.ts';
import { nodeRegistration } from './node-registration.ts';

/** What the first master is made with. */
export interface InitOptions extends Omit<ClusterConfigurationOptions, 'api'> {
  readonly host: ClusterHost;
  readonly proxyMode: ProxyMode;
  /** Lives just long enough for the first master itself. */
  readonly token: Secret;
  /** Checks of kubeadm that the user has decided not to mind. */
  readonly ignoredChecks: readonly string[];
  /** Folder on the host with kubeadm's patches. */
  readonly patches: string | undefined;
}

/** The file of `kubeadm init`. */
export function kubeadmInit(options: InitOptions): string {
  const { cluster } = options;
  const api = kubeadmApi(cluster.kubernetes.version);
  return yamlDocuments([
    initConfiguration(options),
    clusterConfiguration({ ...options, api }),
    kubeletConfiguration(cluster),
    ...(replacesProxy(cluster) ? [] : [kubeProxyConfiguration(cluster, options.proxyMode)]),
  ]);
}

function initConfiguration({ cluster, host, token, ignoredChecks, patches }: InitOptions): object {
  const api = kubeadmApi(cluster.kubernetes.version);
  return {
    ...kind(api, 'InitConfiguration'),
    bootstrapTokens: [
      { token: token.reveal(), ttl: '1h0m0s', usages: ['signing', 'authentication'], groups: [BOOTSTRAP_GROUP] },
    ],
    localAPIEndpoint: localApi(cluster, host),
    nodeRegistration: withIgnoredChecks(nodeRegistration(cluster, host, api), ignoredChecks),
    ...(patches !== undefined && { patches: { directory: patches } }),
    // The form before has no word for it.
    ...(api === 'v1beta3' && replacesProxy(cluster) && { skipPhases: ['addon/kube-proxy'] }),
  };
}

/** Those who may ask for a certificate of a node. */
export const BOOTSTRAP_GROUP = 'system:bootstrappers:kubeadm:default-node-token';

export const localApi = (cluster: Cluster, { internalAddresses }: ClusterHost): object => ({
  advertiseAddress: internalAddresses[0],
  bindPort: apiPort(cluster),
});

export const withIgnoredChecks = (registration: object, ignoredChecks: readonly string[]): object =>
  ignoredChecks.length === 0 ? registration : { ...registration, ignorePreflightErrors: ignoredChecks };
