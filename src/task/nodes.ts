import { isNode, type Host, type Hosts } from '../common/host.ts';

/** The hosts that become nodes of Kubernetes. */
export const nodesAmong = ({ all }: Hosts): readonly Host[] => all.filter(isNode);

/** The nodes that are no masters. */
export const workersOnly = (hosts: Hosts): readonly Host[] =>
  hosts.withRole('worker').filter(({ roles }) => !roles.includes('master'));

/** The master that the others join; no valid file is without one. */
export function firstMaster(hosts: Hosts): Host {
  const [first] = hosts.withRole('master');
  if (!first) throw new TypeError('a cluster without a master');
  return first;
}
