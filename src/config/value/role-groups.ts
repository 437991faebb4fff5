import { ROLES, type Role } from '../../common/host.ts';

/** The role groups of a cluster file: host names and ranges of them, by role. */
export interface WithRoleGroups {
  readonly roleGroups: Readonly<Record<Role, readonly string[]>>;
}

/** The host names that an entry of a role group expands to, or why it cannot be expanded. */
export type RoleRange =
  | { readonly type: 'names'; readonly names: readonly string[] }
  | { readonly type: 'invalid'; readonly message: string };

/** More hosts than any cluster has, but few enough to list. */
const MAX_HOSTS = 10_000;

/** Expands `node[5:7]` to node5, node6, node7; `node[08:10]` keeps leading zeros; a plain name stands for itself. */
export function expandRange(entry: string): RoleRange {
  const [, before = '', from = '', to = '', after = ''] = RANGE.exec(entry) ?? [];
  if (from === '')
    return /[[\]]/.test(entry)
      ? invalid('is not a valid range; write it as node[1:3]')
      : { type: 'names', names: [entry] };
  const [first, last] = [Number(from), Number(to)];
  if (first > last) return invalid(`is a reversed range; write ${before}[${to}:${from}]${after}`);
  if (last - first >= MAX_HOSTS) return invalid(`names more than ${MAX_HOSTS} hosts`);
  const width = from.startsWith('0') ? from.length : 0;
  const nameOf = (number: number) => `${before}${String(number).padStart(width, '0')}${after}`;
  return { type: 'names', names: Array.from({ length: last - first + 1 }, (_, index) => nameOf(first + index)) };
}

/** Expands all entries of a group. The group as a whole has the same size limit as a single range. */
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
const TOO_MANY = invalid(`brings the group to more than ${MAX_HOSTS} hosts`);

/** Names of the hosts with a role, without duplicates, in the order of the cluster file. */
export const hostsWithRole = (spec: WithRoleGroups, role: Role): readonly string[] => [...membersOf(spec, role)];

export const rolesOf = (spec: WithRoleGroups, host: string): readonly Role[] =>
  ROLES.filter((role) => membersOf(spec, role).has(host));

/** Names of the hosts that become Kubernetes nodes. */
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

// Rules query the groups once per host, so both results are cached by the identity of the group.
const expandedGroups = new WeakMap<readonly string[], readonly RoleRange[]>();
const groupMembers = new WeakMap<readonly string[], ReadonlySet<string>>();

/** The addresses where other hosts reach this host, the primary one first. */
export const internalAddresses = (host: {
  readonly address: string;
  readonly internalAddress?: string | undefined;
}): readonly string[] => (host.internalAddress ?? host.address).split(',').map((address) => address.trim());
