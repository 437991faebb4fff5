import type { Cluster } from '../../config/model/cluster.ts';

/** The virtual IP that hosts of this cluster are to carry; one that somebody else looks after does not count. */
export function virtualIpOf({ endpoint: { external, internal } }: Cluster): string | undefined {
  if (external.type === 'kubexm-kh' || external.type === 'kubexm-kn') return external.address;
  return internal.type === 'kube-vip' ? internal.address : undefined;
}
