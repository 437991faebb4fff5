import type { Cluster, Etcd } from '../../config/model/cluster.ts';
import { configuredApiserverFlags, configuredControllerManagerFlags, configuredSchedulerFlags } from '../kubernetes/configured-flags.ts';
import { args, defined, kind, type KubeadmApi } from './api.ts';

/** What kubeadm is told of the whole cluster. */
export interface ClusterConfigurationOptions {
  readonly cluster: Cluster;
  readonly api: KubeadmApi;
  /** Where the images of Kubernetes are. */
  readonly imageRepository: string;
  /** The release of CoreDNS; kubeadm's own unless told. */
  readonly dnsImageTag?: string | undefined;
  readonly etcd: EtcdOptions;
  /** Files that API servers read or write, beside kubeadm's own. */
  readonly volumes: readonly Volume[];
  /** Flags that belong to them; what the user says comes over them. */
  readonly apiserverFlags: Readonly<Record<string, string>>;
}

/** Where etcd is, and the files to reach it with. */
export type EtcdOptions =
  | { readonly type: 'local'; readonly imageTag: string | undefined }
  | {
      readonly type: 'external';
      readonly endpoints: readonly string[];
      readonly caFile: string;
      readonly certFile: string;
      readonly keyFile: string;
    };

/** A path of the host that a static pod sees. */
export interface Volume {
  readonly name: string;
  readonly path: string;
  readonly readOnly: boolean;
  readonly pathType: 'File' | 'DirectoryOrCreate' | 'Directory';
}

export function clusterConfiguration(options: ClusterConfigurationOptions): object {
  const { cluster, api, imageRepository, dnsImageTag } = options;
  const { kubernetes, network, endpoint, name } = cluster;
  return {
    ...kind(api, 'ClusterConfiguration'),
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
    controllerManager: defined({ extraArgs: args(api, configuredControllerManagerFlags(cluster)) }),
    scheduler: defined({ extraArgs: args(api, configuredSchedulerFlags(cluster)) }),
    etcd: etcd(options),
    ...(api === 'v1beta4' && replacesProxy(cluster) && { proxy: { disabled: true } }),
  };
}

/** Cilium may do the work of kube-proxy. */
export const replacesProxy = ({ network: { plugin } }: Cluster): boolean =>
  plugin.type === 'cilium' && plugin.kubeProxyReplacement;

function apiServer({ cluster, api, volumes, apiserverFlags }: ClusterConfigurationOptions): object {
  return defined({
    certSANs: subjectNames(cluster),
    extraArgs: args(api, configuredApiserverFlags(cluster, apiserverFlags)),
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

/** Every way in which somebody may call an API server, from here or from a host. */
export function subjectNames(cluster: Cluster): readonly string[] {
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

function etcd({ cluster, api, etcd: where }: ClusterConfigurationOptions): object {
  if (where.type === 'external') {
    const { endpoints, caFile, certFile, keyFile } = where;
    return { external: { endpoints, caFile, certFile, keyFile } };
  }
  const tuning = cluster.etcd.type === 'external' ? undefined : cluster.etcd;
  return {
    local: defined({
      dataDir: tuning?.dataDir,
      imageTag: where.imageTag,
      extraArgs: tuning && args(api, etcdFlags(tuning)),
    }),
  };
}

/** Tuning of an etcd that kubeadm runs. */
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
