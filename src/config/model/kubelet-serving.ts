import type { Cluster } from './cluster.ts';

/** The signer of the kubelet serving certificates. */
export type KubeletServing =
  /** Each kubelet signs its own certificate, so clients cannot verify it. */
  | 'self-signed'
  /** The cluster CA signs, after kubexm has checked and approved the certificate signing request. */
  | 'csr'
  /** Unknown, because the user configured certificate files. */
  | 'user-provided'
  /** kubexm signs with the cluster CA. */
  | 'cluster-ca';

export function kubeletServing({ kubernetes }: Pick<Cluster, 'kubernetes'>): KubeletServing {
  const { kubeletConfiguration, kubelet } = kubernetes;
  const has = (...names: readonly string[]) =>
    names.some((name) => name in kubelet.extraArgs || name in kubeletConfiguration);
  if (kubeletConfiguration.serverTLSBootstrap === true || kubelet.extraArgs['rotate-server-certificates'] === 'true')
    return 'csr';
  if (has('tlsCertFile', 'tlsPrivateKeyFile', 'tls-cert-file', 'tls-private-key-file')) return 'user-provided';
  // kubexm can issue and check certificates only for the name and address in the cluster file.
  if (has('node-ip', 'hostname-override')) return 'self-signed';
  if (kubernetes.type === 'kubexm') return 'cluster-ca';
  return kubeletConfiguration.serverTLSBootstrap === false ? 'self-signed' : 'csr';
}
