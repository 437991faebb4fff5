import type { Cluster } from '../../config/model/cluster.ts';
import { kubeletServing } from '../../config/model/kubelet-serving.ts';
import { admissionPlugins, isCis } from '../../config/model/security.ts';
import { minorOf } from '../../config/model/version.ts';
import { certificateAt } from './paths.ts';

type Flags = Readonly<Record<string, string>>;

/** TLS 1.2 cipher suites with forward secrecy and authenticated encryption. TLS 1.3 suites cannot be configured in Go. */
export const TLS_SUITES = [
  'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
  'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
  'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
  'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384',
  'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256',
  'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256',
] as const;

/** API server flags for security. Flags from the cluster file override them, except that admission plugins are added. */
export const apiserverHardening = (cluster: Cluster): Flags => ({
  'enable-admission-plugins': admissionPlugins(cluster).join(','),
  // Self-signed and user-provided kubelet certificates cannot be verified with the cluster CA.
  ...(['cluster-ca', 'csr'].includes(kubeletServing(cluster)) && {
    'kubelet-certificate-authority': certificateAt('ca'),
  }),
  profiling: 'false',
  'tls-cipher-suites': TLS_SUITES.join(','),
  'tls-min-version': 'VersionTLS12',
  ...(isCis(cluster) && { 'service-account-extend-token-expiration': 'false' }),
});

/** Controller manager flags for security. Finished Pods beyond the threshold are deleted, the oldest first. */
export const controllerManagerHardening: Flags = { profiling: 'false', 'terminated-pod-gc-threshold': '1000' };

/** Scheduler flags for security. */
export const schedulerHardening: Flags = { profiling: 'false' };

/** KubeletConfiguration fields for security. */
export const kubeletHardening = (cluster: Cluster): object => ({
  tlsCipherSuites: TLS_SUITES,
  tlsMinVersion: 'VersionTLS12',
  // kubexm approves the requests for serving certificates.
  ...(cluster.kubernetes.type === 'kubeadm' && kubeletServing(cluster) === 'csr' && { serverTLSBootstrap: true }),
  ...(isCis(cluster) && minorOf(cluster.kubernetes.version) >= 25 && { seccompDefault: true }),
});

/** Whether the kubelet on a host refuses to start with other kernel parameters than those that kubexm sets. */
export const protectsKernelDefaults = (
  { system, kubernetes: { kubeletConfiguration, kubelet } }: Cluster,
  { virtualization }: { readonly virtualization: { readonly type: string } },
): boolean =>
  // The kernel parameters of a container belong to its host.
  system.sysctl === 'set' &&
  virtualization.type !== 'container' &&
  !('protectKernelDefaults' in kubeletConfiguration) &&
  !('protect-kernel-defaults' in kubelet.extraArgs);
