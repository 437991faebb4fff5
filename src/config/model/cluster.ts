import type { Arch, Role } from '../../common/host.ts';
import type { Spec } from '../schema/cluster.ts';
import type { SecretSource } from './secret-source.ts';

/** All the way down. */
type DeepReadonly<T> = T extends SecretSource
  ? T
  : T extends readonly (infer E)[]
    ? readonly DeepReadonly<E>[]
    : T extends object
      ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
      : T;

/** The cluster after parsing, defaulting and validation: nothing here is optional by accident. */
export interface Cluster {
  readonly name: string;
  readonly hosts: readonly ClusterHost[];
  /** The name of the one that others join: the first of its group. */
  readonly firstMaster: string;
  readonly endpoint: Endpoint;
  readonly system: System;
  readonly kubernetes: Kubernetes;
  readonly etcd: Etcd;
  readonly network: Network;
  readonly registry: Registry;
  readonly storage: DeepReadonly<Spec['storage']>;
  readonly dns: DeepReadonly<Spec['dns']>;
  readonly addons: readonly Addon[];
  readonly extra: DeepReadonly<Spec['extra']>;
  readonly artifacts: DeepReadonly<Spec['artifacts']>;
}

/** A machine as the file describes it. */
export interface ClusterHost {
  readonly name: string;
  readonly roles: readonly Role[];
  /** Where the other hosts reach it; the first one is the primary. */
  readonly internalAddresses: readonly [string, ...string[]];
  /** Only when the file says so; otherwise it is found out. */
  readonly arch: Arch | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly login: Login;
}

/** Keeps pods away from a node. */
export type Taint = DeepReadonly<Spec['hosts'][number]['taints'][number]>;

/** How a host is reached over SSH. */
export interface Login {
  readonly address: string;
  readonly port: number;
  readonly user: string;
  readonly password: SecretSource | undefined;
  readonly privateKey: SecretSource | undefined;
  readonly privateKeyPath: string | undefined;
  readonly passphrase: SecretSource | undefined;
  readonly sudoPassword: SecretSource | undefined;
  readonly jump: string | undefined;
  readonly timeoutMs: number;
  readonly hostKey: string | undefined;
}

/** How the API servers are reached. Both kinds of load balancer may be there. */
export interface Endpoint {
  readonly domain: string;
  readonly port: number;
  readonly externalDNS: boolean;
  readonly external: ExternalLoadBalancer;
  readonly internal: InternalLoadBalancer;
}

/** A load balancer before the masters. */
export type ExternalLoadBalancer =
  | { readonly type: 'none' }
  | { readonly type: 'kubexm-kh'; readonly address: string; readonly keepalived: Keepalived }
  | { readonly type: 'kubexm-kn'; readonly address: string; readonly keepalived: Keepalived }
  | { readonly type: 'external'; readonly address: string | undefined };

export type Keepalived = DeepReadonly<Spec['controlPlaneEndpoint']['keepalived']>;

/** A load balancer on the nodes themselves. */
export type InternalLoadBalancer =
  | { readonly type: 'none' }
  | { readonly type: 'haproxy' }
  | { readonly type: 'nginx' }
  | {
      readonly type: 'kube-vip';
      readonly address: string;
      readonly mode: 'ARP' | 'BGP';
      readonly interface: string | undefined;
    };

/** What is done to the operating system. */
export interface System extends DeepReadonly<Omit<Spec['system'], 'ntpServers'>> {
  readonly time: TimeSync;
}

/** Where hosts get the time from. */
export type TimeSync =
  | { readonly type: 'none' }
  | { readonly type: 'outside'; readonly servers: readonly string[] }
  | { readonly type: 'in-cluster'; readonly host: string; readonly upstream: readonly string[] };

/** The Kubernetes that is installed, as kubeadm or as plain binaries. */
export interface Kubernetes extends DeepReadonly<Omit<Spec['kubernetes'], 'clusterName'>> {
  readonly dnsDomain: string;
}

/** Where the cluster keeps its state. */
export type Etcd = ManagedEtcd | KubeadmEtcd | ExternalEtcd;

type EtcdTuning = DeepReadonly<Omit<Spec['etcd'], 'type' | 'external'>>;

/** A service of its own on the etcd hosts. */
export interface ManagedEtcd extends EtcdTuning {
  readonly type: 'kubexm';
}

/** Static pods of kubeadm on the masters. */
export interface KubeadmEtcd extends EtcdTuning {
  readonly type: 'kubeadm';
}

/** An etcd that someone else looks after. */
export interface ExternalEtcd {
  readonly type: 'external';
  readonly endpoints: readonly string[];
  readonly caFile: string | undefined;
  readonly certFile: string | undefined;
  readonly keyFile: string | undefined;
}

/** Networks of pods and services. */
export interface Network {
  readonly podCidrs: readonly string[];
  readonly serviceCidrs: readonly string[];
  readonly multus: boolean;
  readonly plugin: NetworkPlugin;
}

/** The plugin that makes the pod network. */
export type NetworkPlugin =
  | ({ readonly type: 'calico'; readonly version: string | undefined; readonly blockSize: number } & DeepReadonly<
      Required<Spec['network']['calico']>
    >)
  | ({ readonly type: 'flannel'; readonly version: string | undefined } & DeepReadonly<Spec['network']['flannel']>)
  | ({ readonly type: 'cilium'; readonly version: string | undefined } & DeepReadonly<Spec['network']['cilium']>)
  | {
      readonly type: 'kube-ovn';
      readonly version: string | undefined;
      readonly joinCidrs: readonly string[];
      readonly values: Readonly<Record<string, unknown>>;
    }
  | { readonly type: 'none' };

type RegistryLogin = DeepReadonly<Spec['registry']['auths'][string]>;

interface RegistryBase {
  readonly namespaceOverride: string;
  readonly auths: Readonly<Record<string, RegistryLogin>>;
}

/** Where the images of the cluster come from. */
export type Registry =
  | (RegistryBase & { readonly type: 'none' })
  | (RegistryBase & { readonly type: 'external'; readonly name: string })
  | (RegistryBase & {
      readonly type: 'registry';
      readonly name: string;
      readonly version: string | undefined;
      readonly dataDir: string;
    })
  | (RegistryBase & {
      readonly type: 'harbor';
      readonly name: string;
      readonly version: string | undefined;
      readonly dataDir: string;
      readonly adminPassword: SecretSource | undefined;
      readonly trivy: boolean;
    });

type AddonBase = DeepReadonly<Pick<Spec['addons'][number], 'name' | 'namespace' | 'values' | 'valuesFile' | 'wait'>>;
type AddonSource = DeepReadonly<NonNullable<Spec['addons'][number]['source']>>;

/** Something that runs on the cluster from the start. */
export type Addon =
  | (AddonBase & { readonly type: 'catalog' })
  | (AddonBase & { readonly type: 'yaml'; readonly source: AddonSource })
  | (AddonBase & { readonly type: 'helm'; readonly source: AddonSource });
