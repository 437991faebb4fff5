import type { Cluster } from '../../config/model/cluster.ts';

/** Names that hosts have to find by themselves, because nothing is written into their /etc/hosts. */
export function namesToResolve({ endpoint, registry, system }: Cluster): readonly string[] {
  const kept = system.etcHosts === 'keep';
  const ownRegistry = registry.type === 'registry' || registry.type === 'harbor';
  return [
    ...(kept || endpoint.externalDNS ? [endpoint.domain] : []),
    ...(kept && ownRegistry ? [registry.name.replace(/:\d+$/, '')] : []),
  ];
}
