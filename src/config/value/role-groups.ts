import { ROLES, type Role } from '../../common/host.ts';

/** The role groups of a cluster file: host names and ranges such as node[1:3], by role. */
export interface WithRoleGroups {
  readonly roleGroups: Readonly<Record<Role, readonly string[]>>;
}

/** The host names in a role group entry, or the reason why it cannot be expanded. */
export type RoleRange =
  | { readonly type: 'names'; readonly names: readonly string[] }
  | { readonly type: 'invalid'; readonly message: string };

/** More hosts than any cluster has, but few enough to keep in memory. */
const MAX_HOSTS = 10_000;

/** Expands `node[5:7]` to node5, node6 and node7. Keeps leading zeros (`node[08:10]`) and plain names. */
export function expandRange(entry: string): RoleRange {
  const [, before = '', from = '', to = '', after = ''] = RANGE.exec(entry) ?? [];
  if (from === '')
    return /[[\]]/.test(entry)
      ? invalid('is not a valid range; write it as node[1:3]')
      : { type: 'names', names: [entry] };
  const [first, last] = [Number(from), Number(to)];
  if (first > last) return invalid(`is a reversed range; write ${before}[${to}:${from}]${after}`);
  if (last - first >= MAX_HOSTS) return invalid(`contains more than ${MAX_HOSTS} hosts`);
  const width = from.startsWith('0') ? from.length : 0;
  const nameOf = (number: number) => `${before}${String(number).padStart(width, '0')}${after}`;
  return { type: 'names', names: Array.from({ length: last - first + 1 }, (_, index) => nameOf(first + index)) };
}

/** Expands all entries of a group. The whole group has the same size limit as a single range. */
export function expandGroup(entries: readonly string[]): readonly RoleRange[] {
  const known = expandedGroups.get(entries);
  if (known) return known;
  let total = 0;
  const ranges = entries.map((entry): RoleRange => {
    if (total > MAX_HOSTS) return TOO_MANY;
    const range = expandRange(entry);
    total += range.type === 'names' ? range.names.length : 0;
    return total > MAX_HOSTS ? TOO_MANY : range;
  });
  expandedGroups.set(entries, ranges);
  return ranges;
}

const RANGE = /^([^[\]]*)\[\s*(\d{1,9})\s*[:-]\s*(\d{1,9})\s*\]([^[\]]*)$/;
const invalid = (message: string): RoleRange => ({ type: 'invalid', message });
const TOO_MANY = invalid(`increases the group to more than ${MAX_HOSTS} hosts`);

/** Returns the names of the hosts with a role, without duplicates, in the order of the cluster file. */
export const hostsWithRole = (spec: WithRoleGroups, role: Role): readonly string[] => [...membersOf(spec, role)];

export const rolesOf = (spec: WithRoleGroups, host: string): readonly Role[] =>
  ROLES.filter((role) => membersOf(spec, role).has(host));

/** Returns the names of the Kubernetes nodes. */
export const nodeNames = (spec: WithRoleGroups): readonly string[] => [
  ...new Set([...hostsWithRole(spec, 'master'), ...hostsWithRole(spec, 'worker')]),
];

function membersOf({ roleGroups }: WithRoleGroups, role: Role): ReadonlySet<string> {
  const group = roleGroups[role];
  const known = groupMembers.get(group);
  if (known) return known;
  const members = new Set(expandGroup(group).flatMap((range) => (range.type === 'names' ? range.names : [])));
  groupMembers.set(group, members);
  return members;
}

// Rules query the groups once per host, so both results are cached for each group object.
const expandedGroups = new WeakMap<readonly string[], readonly RoleRange[]>();
const groupMembers = new WeakMap<readonly string[], ReadonlySet<string>>();

/** Returns the addresses that other hosts connect to, primary address first. */
export const internalAddresses = (host: {
  readonly address: string;
  readonly internalAddress?: string | undefined;
}): readonly string[] => (host.internalAddress ?? host.address).split(',').map((address) => address.trim());
