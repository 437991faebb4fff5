import { isNode, type Host, type Hosts } from '../common/host.ts';
import type { TaskHosts } from './task.ts';

/** The hosts that become Kubernetes nodes. */
export const allNodes = ({ all }: Hosts): readonly Host[] => all.filter(isNode);

/** The nodes that are not masters. */
export const workersOnly = (hosts: Hosts): readonly Host[] =>
  hosts.withRole('worker').filter(({ roles }) => !roles.includes('master'));

/** The master that all other nodes join. */
export function firstMaster({ firstMaster: first }: TaskHosts): Host {
  if (!first) throw new TypeError('a cluster needs at least one master');
  return first;
}

/** The first master, if it is one of the hosts that the task acts on. */
export const firstMasterIn = (hosts: TaskHosts): readonly Host[] =>
  hosts.all.filter(({ name }) => name === hosts.firstMaster?.name);

/** The masters that join an existing one. */
export const otherMasters = (hosts: TaskHosts): readonly Host[] =>
  hosts.withRole('master').filter(({ name }) => name !== hosts.firstMaster?.name);

/** The host that runs the image registry. Images are stored on one host only. */
export const registryHost = (hosts: Hosts): readonly Host[] => hosts.withRole('registry').slice(0, 1);
