import type { Volume } from '../kubernetes/apiserver-files.ts';
import type { Cluster, Etcd } from '../../config/model/cluster.ts';
import {
  configuredApiserverFlags,
  configuredControllerManagerFlags,
  configuredSchedulerFlags,
} from '../kubernetes/configured-flags.ts';
import { extraArgs, withoutUndefined, typeMeta, type KubeadmApi } from './api.ts';

export interface ClusterConfigurationOptions {
  readonly cluster: Cluster;
  readonly api: KubeadmApi;
  /** Registry of the Kubernetes images. */
  readonly imageRepository: string;
  /** CoreDNS tag; kubeadm's default if undefined. */
  readonly dnsImageTag?: string | undefined;
  readonly etcd: EtcdOptions;
  /** Additional files of API servers. */
  readonly volumes: readonly Volume[];
  /** Flags for these files. Flags from the cluster file override them. */
  readonly apiserverFlags: Readonly<Record<string, string>>;
}

/** Stacked etcd, or an external etcd with client certificates. */
export type EtcdOptions =
  | { readonly type: 'local'; readonly imageTag: string | undefined }
  | {
      readonly type: 'external';
      readonly endpoints: readonly string[];
      readonly caFile: string;
      readonly certFile: string;
      readonly keyFile: string;
    };

/** A ClusterConfiguration of kubeadm. */
export interface ClusterConfiguration {
  readonly apiServer: object;
  readonly [field: string]: unknown;
}

export function clusterConfiguration(options: ClusterConfigurationOptions): ClusterConfiguration {
  const { cluster, api, imageRepository, dnsImageTag } = options;
  const { kubernetes, network, endpoint, name } = cluster;
  return {
    ...typeMeta(api, 'ClusterConfiguration'),
    clusterName: name,
    kubernetesVersion: `v${kubernetes.version}`,
    controlPlaneEndpoint: `${endpoint.domain}:${endpoint.port}`,
    imageRepository,
    ...(dnsImageTag !== undefined && { dns: { imageTag: dnsImageTag } }),
    certificatesDir: '/etc/kubernetes/pki',
    networking: {
      dnsDomain: kubernetes.dnsDomain,
      podSubnet: network.podCidrs.join(','),
      serviceSubnet: network.serviceCidrs.join(','),
    },
    apiServer: apiServer(options),
    controllerManager: withoutUndefined({ extraArgs: extraArgs(api, configuredControllerManagerFlags(cluster)) }),
    scheduler: withoutUndefined({ extraArgs: extraArgs(api, configuredSchedulerFlags(cluster)) }),
    etcd: etcd(options),
    ...(api === 'v1beta4' && replacesKubeProxy(cluster) && { proxy: { disabled: true } }),
  };
}

/** Whether Cilium replaces kube-proxy. */
export const replacesKubeProxy = ({ network: { plugin } }: Cluster): boolean =>
  plugin.type === 'cilium' && plugin.kubeProxyReplacement;

function apiServer({ cluster, api, volumes, apiserverFlags }: ClusterConfigurationOptions): object {
  return withoutUndefined({
    certSANs: apiserverCertSans(cluster),
    extraArgs: extraArgs(api, configuredApiserverFlags(cluster, apiserverFlags)),
    extraVolumes:
      volumes.length === 0
        ? undefined
        : volumes.map(({ name, path, readOnly, pathType }) => ({
            name,
            hostPath: path,
            mountPath: path,
            readOnly,
            pathType,
          })),
  });
}

/** All names and addresses by which clients reach an API server. */
export function apiserverCertSans(cluster: Cluster): readonly string[] {
  const { endpoint, hosts, kubernetes } = cluster;
  const masters = hosts.filter(({ roles }) => roles.includes('master'));
  const balancers = hosts.filter(({ roles }) => roles.includes('loadbalancer'));
  const { external, internal } = endpoint;
  return [
    ...new Set([
      endpoint.domain,
      'localhost',
      '127.0.0.1',
      ...(internal.type === 'kube-vip' ? [internal.address] : []),
      ...(external.type !== 'none' && external.address !== undefined ? [external.address] : []),
      ...[...masters, ...balancers].flatMap(({ name, internalAddresses, login }) => [
        name,
        ...internalAddresses,
        login.address,
      ]),
      ...kubernetes.apiserverCertExtraSans,
    ]),
  ];
}

function etcd({ cluster, api, etcd: options }: ClusterConfigurationOptions): object {
  if (options.type === 'external') {
    const { endpoints, caFile, certFile, keyFile } = options;
    return { external: { endpoints, caFile, certFile, keyFile } };
  }
  const tuning = cluster.etcd.type === 'external' ? undefined : cluster.etcd;
  return {
    local: withoutUndefined({
      dataDir: tuning?.dataDir,
      imageTag: options.imageTag,
      extraArgs: tuning && extraArgs(api, etcdFlags(tuning)),
    }),
  };
}

/** Tuning flags of an etcd that kubeadm runs. */
const etcdFlags = (tuning: Exclude<Etcd, { readonly type: 'external' }>): Readonly<Record<string, string>> => ({
  'heartbeat-interval': `${tuning.heartbeatInterval}`,
  'election-timeout': `${tuning.electionTimeout}`,
  'snapshot-count': `${tuning.snapshotCount}`,
  'auto-compaction-retention': `${tuning.autoCompactionRetention}`,
  metrics: tuning.metrics,
  'quota-backend-bytes': `${tuning.quotaBackendBytes}`,
  'max-request-bytes': `${tuning.maxRequestBytes}`,
  'max-snapshots': `${tuning.maxSnapshots}`,
  'max-wals': `${tuning.maxWals}`,
  'log-level': tuning.logLevel,
  ...tuning.extraArgs,
});
