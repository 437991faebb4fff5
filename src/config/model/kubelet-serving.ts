import type { Cluster } from './cluster.ts';

/** Who signs the serving certificates of the kubelets. */
export type KubeletServing =
  /** Each kubelet itself, so clients cannot verify it. */
  | 'self-signed'
  /** The cluster CA, after someone has approved the certificate signing request. */
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
  // With another name or address than in the cluster file, the certificate could not be issued in advance.
  return kubernetes.type === 'kubexm' && !has('node-ip', 'hostname-override') ? 'cluster-ca' : 'self-signed';
}
