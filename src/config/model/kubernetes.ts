import type { KUBERNETES_TYPES } from '../data/choices.ts';
import type { ContainerRuntimeName } from './container-runtimes.ts';

/** The Kubernetes installation, either managed by kubeadm or installed as binaries with systemd units. */
export interface Kubernetes {
  readonly type: (typeof KUBERNETES_TYPES)[number];
  readonly version: string;
  readonly dnsDomain: string;
  readonly apiserverCertExtraSans: readonly string[];
  readonly containerRuntime: ContainerRuntime;
  readonly proxyMode: 'auto' | 'nftables' | 'iptables' | 'ipvs';
  readonly maxPods: number;
  readonly podPidsLimit: number;
  readonly nodeCidrMaskSize: number;
  readonly nodeCidrMaskSizeIPv6: number;
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly masqueradeAll: boolean;
  readonly autoRenewCerts: boolean;
  readonly nodelocaldns: boolean;
  readonly audit: boolean;
  readonly encryptionAtRest: boolean;
  readonly kata: boolean;
  readonly nodeFeatureDiscovery: boolean;
  readonly apiserver: Component;
  readonly controllerManager: Component;
  readonly scheduler: Component;
  readonly kubelet: Component;
  readonly kubeProxy: Component;
  readonly kubeletConfiguration: Readonly<Record<string, unknown>>;
  readonly kubeProxyConfiguration: Readonly<Record<string, unknown>>;
  readonly patches?: string | undefined;
  readonly ignorePreflightErrors: readonly string[];
}

export interface ContainerRuntime {
  readonly type: ContainerRuntimeName;
  readonly version?: string | undefined;
  readonly from: 'release' | 'packages';
  readonly registryMirrors: readonly string[];
  readonly insecureRegistries: readonly string[];
  readonly dataDir?: string | undefined;
}

interface Component {
  /** Flag names without leading dashes. */
  readonly extraArgs: Readonly<Record<string, string>>;
}
