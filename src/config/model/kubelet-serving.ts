import type { Cluster } from './cluster.ts';

/** Who signs the serving certificates of the kubelets. */
export type KubeletServing =
  /** Each kubelet itself, so clients cannot verify it. */
  | 'self-signed'
  /** The cluster CA, after kubexm has checked and approved the certificate signing request. */
  | 'csr'
  /** Unknown: the user configured certificate files. */
  | 'user-provided'
  /** kubexm, with the cluster CA. */
  | 'cluster-ca';

export function kubeletServing({ kubernetes }: Pick<Cluster, 'kubernetes'>): KubeletServing {
  const { kubeletConfiguration, kubelet } = kubernetes;
  const has = (...names: readonly string[]) =>
    names.some((name) => name in kubelet.extraArgs || name in kubeletConfiguration);
  if (kubeletConfiguration.serverTLSBootstrap === true || kubelet.extraArgs['rotate-server-certificates'] === 'true')
    return 'csr';
  if (has('tlsCertFile', 'tlsPrivateKeyFile', 'tls-cert-file', 'tls-private-key-file')) return 'user-provided';
  // With another name or address than in the cluster file, certificates could be neither issued nor checked.
  if (has('node-ip', 'hostname-override')) return 'self-signed';
  if (kubernetes.type === 'kubexm') return 'cluster-ca';
  return kubeletConfiguration.serverTLSBootstrap === false ? 'self-signed' : 'csr';
}
