import type { Arch, Role } from '../../common/host.ts';
import type { HOST_KEY_MODES } from '../data/choices.ts';
import type { Kubernetes } from './kubernetes.ts';
import type { NetworkPlugin } from './network-plugins.ts';
import type { SecretSource } from './secrets.ts';
import type { Artifacts, Dns, Extra, Security, Storage } from './settings.ts';
import type { System } from './system.ts';

/** A valid cluster file with all defaults; the input for every plan. */
export interface Cluster {
  readonly name: string;
  readonly hosts: readonly ClusterHost[];
  readonly hostKeys: (typeof HOST_KEY_MODES)[number];
  /** The name of the master that initializes the control plane; all other nodes join it. */
  readonly firstMaster: string;
  readonly endpoint: Endpoint;
  readonly system: System;
  readonly kubernetes: Kubernetes;
  readonly security: Security;
  readonly etcd: Etcd;
  readonly network: Network;
  readonly registry: Registry;
  readonly storage: Storage;
  readonly dns: Dns;
  readonly addons: readonly Addon[];
  readonly extra: Extra;
  readonly artifacts: Artifacts;
}

/** A host as described in the cluster file. */
export interface ClusterHost {
  readonly name: string;
  readonly roles: readonly Role[];
  /** The addresses that other hosts connect to, primary address first. */
  readonly internalAddresses: readonly [string, ...string[]];
  /** Detected on the host if undefined. */
  readonly arch: Arch | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly login: Login;
}

export interface Taint {
  readonly key: string;
  readonly value: string;
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
}

/** How to connect to a host over SSH. */
export interface Login {
  readonly address: string;
  readonly port: number;
  readonly user: string;
  readonly password: SecretSource | undefined;
  readonly privateKey: SecretSource | undefined;
  readonly privateKeyPath: string | undefined;
  readonly passphrase: SecretSource | undefined;
  readonly sudoPassword: SecretSource | undefined;
  readonly jump: Jump | undefined;
  readonly timeoutMs: number;
  readonly hostKey: string | undefined;
}

/** An SSH jump host: a host in the cluster or another machine. */
export type Jump =
  | { readonly type: 'host'; readonly name: string }
  | {
      readonly type: 'machine';
      readonly address: string;
      readonly port: number;
      /** Defaults to the user of the target host. */
      readonly user: string | undefined;
      readonly password: SecretSource | undefined;
      readonly privateKey: SecretSource | undefined;
      readonly privateKeyPath: string | undefined;
      readonly passphrase: SecretSource | undefined;
      readonly hostKey: string | undefined;
    };

/** The control plane endpoint. An external and an internal load balancer can be combined. */
export interface Endpoint {
  readonly domain: string;
  readonly port: number;
  readonly externalDNS: boolean;
  readonly external: ExternalLoadBalancer;
  readonly internal: InternalLoadBalancer;
}

/** A load balancer in front of the masters. */
export type ExternalLoadBalancer =
  | { readonly type: 'none' }
  | { readonly type: 'kubexm-kh'; readonly address: string; readonly keepalived: Keepalived }
  | { readonly type: 'kubexm-kn'; readonly address: string; readonly keepalived: Keepalived }
  | { readonly type: 'external'; readonly address: string | undefined };

export interface Keepalived {
  readonly vrid: number;
  readonly interface?: string | undefined;
  readonly unicast: boolean;
}

/** How the masters announce the virtual IP of kube-vip to routers. */
export interface KubeVipBgp {
  readonly localAS: number;
  readonly peers: readonly BgpPeer[];
}

/** A router that masters connect to over BGP. */
export interface BgpPeer {
  readonly address: string;
  readonly as: number;
  readonly password?: SecretSource | undefined;
  readonly multiHop: boolean;
}

/** A load balancer on the nodes. */
export type InternalLoadBalancer =
  | { readonly type: 'none' }
  | { readonly type: 'haproxy' }
  | { readonly type: 'nginx' }
  | {
      readonly type: 'kube-vip';
      readonly address: string;
      readonly mode: 'ARP' | 'BGP';
      readonly bgp: KubeVipBgp | undefined;
      readonly interface: string | undefined;
    };

export type Etcd = ManagedEtcd | KubeadmEtcd | ExternalEtcd;

interface EtcdSettings {
  readonly version?: string | undefined;
  readonly dataDir: string;
  readonly heartbeatInterval: number;
  readonly electionTimeout: number;
  readonly snapshotCount: number;
  readonly autoCompactionRetention: number;
  readonly metrics: 'basic' | 'extensive';
  readonly quotaBackendBytes: number;
  readonly maxRequestBytes: number;
  readonly maxSnapshots: number;
  readonly maxWals: number;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'panic' | 'fatal';
  readonly extraArgs: Readonly<Record<string, string>>;
  readonly backup?: { readonly dir: string; readonly schedule: string; readonly keep: number } | undefined;
}

/** A systemd service on the etcd hosts. */
export interface ManagedEtcd extends EtcdSettings {
  readonly type: 'kubexm';
}

/** Static Pods on the masters, managed by kubeadm. */
export interface KubeadmEtcd extends EtcdSettings {
  readonly type: 'kubeadm';
}

/** An etcd cluster that kubexm does not manage. */
export interface ExternalEtcd {
  readonly type: 'external';
  readonly endpoints: readonly string[];
  readonly caFile: string | undefined;
  readonly certFile: string | undefined;
  readonly keyFile: string | undefined;
}

export interface Network {
  readonly podCidrs: readonly string[];
  readonly serviceCidrs: readonly string[];
  readonly multus: boolean;
  readonly plugin: NetworkPlugin;
}

interface RegistryLogin {
  readonly username?: string | undefined;
  readonly password?: SecretSource | undefined;
  readonly skipTLSVerify: boolean;
  readonly plainHTTP: boolean;
  readonly certsPath?: string | undefined;
}

interface RegistryBase {
  readonly namespaceOverride: string;
  readonly auths: Readonly<Record<string, RegistryLogin>>;
}

/** The private image registry of the cluster. */
export type Registry =
  | (RegistryBase & { readonly type: 'none' })
  | (RegistryBase & { readonly type: 'external'; readonly name: string })
  | (RegistryBase & {
      readonly type: 'registry';
      readonly name: string;
      readonly version: string | undefined;
      readonly dataDir: string;
      /** Images can be pulled without a login; pushing still requires one. */
      readonly anonymousPull: boolean;
    })
  | (RegistryBase & {
      readonly type: 'harbor';
      readonly name: string;
      readonly version: string | undefined;
      readonly dataDir: string;
      readonly adminPassword: SecretSource | undefined;
      readonly trivy: boolean;
    });

interface AddonBase {
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly values: Readonly<Record<string, unknown>>;
  readonly valuesFile?: string | undefined;
  readonly wait: boolean;
}

export interface AddonSource {
  readonly url?: string | undefined;
  readonly path?: string | undefined;
  readonly chart?: string | undefined;
  readonly repo?: string | undefined;
  readonly version?: string | undefined;
}

/** A manifest or chart that kubexm installs in the cluster. */
export type Addon =
  | (AddonBase & { readonly type: 'catalog' })
  | (AddonBase & { readonly type: 'yaml'; readonly source: AddonSource })
  | (AddonBase & { readonly type: 'helm'; readonly source: AddonSource });
