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
  const { serverTLSBootstrap, tlsCertFile } = kubernetes.kubeletConfiguration;
  if (serverTLSBootstrap === true) return 'asked';
  if (tlsCertFile !== undefined) return 'given';
  return kubernetes.type === 'kubexm' ? 'made' : 'itself';
}
