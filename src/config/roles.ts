import { ROLES, type Role } from '../common/host.ts';
import { expandRange } from './role-range.ts';
import type { Spec } from './schema/cluster.ts';

/** Names of the hosts that have a role, in the order of the file, each once. */
export function hostsWithRole(spec: Spec, role: Role): readonly string[] {
  const names = spec.roleGroups[role].flatMap((entry) => {
    const range = expandRange(entry);
    return range.type === 'names' ? range.names : [];
  });
  return [...new Set(names)];
}

export const rolesOf = (spec: Spec, host: string): readonly Role[] => ROLES.filter((role) => hostsWithRole(spec, role).includes(host));

/** Hosts that become Kubernetes nodes. */
export const nodeNames = (spec: Spec): readonly string[] => [...new Set([...hostsWithRole(spec, 'master'), ...hostsWithRole(spec, 'worker')])];

export const internalAddresses = (host: Spec['hosts'][number]): readonly string[] =>
  (host.internalAddress ?? host.address).split(',').map((address) => address.trim());
