import { ROLES, type Role } from '../../common/host.ts';
import { expandGroup } from '../value/role-range.ts';
import type { Spec } from '../schema/cluster.ts';

/** Names of the hosts that have a role, in the order of the file, each once. */
export const hostsWithRole = (spec: Spec, role: Role): readonly string[] => [...membersOf(spec, role)];

export const rolesOf = (spec: Spec, host: string): readonly Role[] =>
  ROLES.filter((role) => membersOf(spec, role).has(host));

const expanded = new WeakMap<readonly string[], ReadonlySet<string>>();

function membersOf(spec: Spec, role: Role): ReadonlySet<string> {
  const group = spec.roleGroups[role];
  const known = expanded.get(group);
  if (known) return known;
  const members = new Set(expandGroup(group).flatMap((range) => (range.type === 'names' ? range.names : [])));
  expanded.set(group, members);
  return members;
}

/** Hosts that become Kubernetes nodes. */
export const nodeNames = (spec: Spec): readonly string[] => [
  ...new Set([...hostsWithRole(spec, 'master'), ...hostsWithRole(spec, 'worker')]),
];

export const internalAddresses = (host: Spec['hosts'][number]): readonly string[] =>
  (host.internalAddress ?? host.address).split(',').map((address) => address.trim());
