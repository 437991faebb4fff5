import { isNode, type Host, type Hosts } from '../common/host.ts';

/** The hosts that become Kubernetes nodes. */
export const allNodes = ({ all }: Hosts): readonly Host[] => all.filter(isNode);

/** The nodes that are not masters. */
export const workersOnly = (hosts: Hosts): readonly Host[] =>
  hosts.withRole('worker').filter(({ roles }) => !roles.includes('master'));

/** The master that all other nodes join. */
export function firstMaster(hosts: Hosts): Host {
  const [first] = hosts.withRole('master');
  if (!first) throw new TypeError('a cluster needs at least one master');
  return first;
}

/** The host that runs the image registry. Images are stored on one host only. */
export const registryHost = (hosts: Hosts): readonly Host[] => hosts.withRole('registry').slice(0, 1);
