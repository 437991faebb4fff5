import type { Cluster } from './cluster.ts';

/** Who vouches for the certificates that kubelets show to those who ask them. */
export type KubeletServing =
  /** Each kubelet for itself, so nobody can tell it from another. */
  | 'itself'
  /** The cluster, when somebody has approved it. */
  | 'asked'
  /** Whoever made the files that the kubelets are told of. */
  | 'given'
  /** We, by the authority of the cluster. */
  | 'made';

export function kubeletServing({ kubernetes }: Pick<Cluster, 'kubernetes'>): KubeletServing {
  const { kubeletConfiguration, kubelet } = kubernetes;
  const has = (...names: readonly string[]) =>
    names.some((name) => name in kubelet.extraArgs || name in kubeletConfiguration);
  if (kubeletConfiguration.serverTLSBootstrap === true || kubelet.extraArgs['rotate-server-certificates'] === 'true')
    return 'asked';
  if (has('tlsCertFile', 'tlsPrivateKeyFile', 'tls-cert-file', 'tls-private-key-file')) return 'given';
  // Of other names and addresses than those of the file we cannot know whether they are the node's.
  return kubernetes.type === 'kubexm' && !has('node-ip', 'hostname-override') ? 'made' : 'itself';
}
