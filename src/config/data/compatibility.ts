/** The oldest compatible patch release of each containerd branch, by Kubernetes minor version. */
export const containerdFor: Readonly<Record<number, readonly string[]>> = {
  26: ['1.6.15', '1.7.0'],
  27: ['1.6.15', '1.7.0'],
  28: ['1.6.15', '1.7.0'],
  29: ['1.6.15', '1.7.0'],
  30: ['1.6.15', '1.7.0'],
  31: ['1.6.15', '1.7.0'],
  32: ['1.6.36', '1.7.24', '2.0.1', '2.1.0'],
  33: ['1.6.36', '1.7.24', '2.0.4', '2.1.0'],
  34: ['1.6.39', '1.7.28', '2.0.6', '2.1.3'],
  35: ['1.7.28', '2.1.5', '2.2.0'],
  36: ['2.2.0', '2.3.0'],
};

/** The minimum etcd version for each Kubernetes version and later patches, newest first. */
export const oldestEtcdFrom: readonly (readonly [kubernetes: string, etcd: string])[] = [
  ['1.35.0', '3.5.24'],
  ['1.34.2', '3.5.24'],
  ['1.34.0', '3.5.21'],
  ['1.33.6', '3.5.24'],
  ['1.33.0', '3.5.11'],
  ['1.32.10', '3.5.24'],
  ['1.32.0', '3.5.11'],
  ['1.31.14', '3.5.24'],
  ['1.31.0', '3.5.11'],
  ['1.28.0', '3.4.13'],
  ['1.22.0', '3.2.18'],
];

/** Removed component flags and the Kubernetes minor version that removed them. */
export const removedFlags: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  kubelet: {
    'network-plugin': 24,
    'cni-bin-dir': 24,
    'cni-conf-dir': 24,
    'cni-cache-dir': 24,
    'network-plugin-mtu': 24,
    'container-runtime': 27,
    'keep-terminated-pod-volumes': 31,
    'register-schedulable': 34,
    'pod-infra-container-image': 35,
    containerd: 37,
  },
  apiserver: { 'insecure-port': 24, 'insecure-bind-address': 24 },
  controllerManager: { 'concurrent-service-syncs': 37 },
};
