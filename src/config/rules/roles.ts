import { ROLES, type Role } from '../../common/host.ts';
import { nearest } from '../diagnostic/nearest.ts';
import { quoted } from '../diagnostic/quote.ts';
import type { Spec } from '../schema/cluster.ts';
import { expandGroup, hostsWithRole, rolesOf, type RoleRange } from '../value/role-groups.ts';
import { eachValid } from './invalid-values.ts';
import { finding, near, type Rule, type RuleFinding } from './rule.ts';

export const roleRules: readonly Rule[] = [
  {
    id: 'role-range',
    severity: 'error',
    about: 'A range of hosts must have the form node[1:3], with the lower number first.',
    check: (spec) =>
      eachValid(ROLES, (role) =>
        rangesOf(spec, role).flatMap(({ range, entry, path }) =>
          range.type === 'invalid' ? [finding(path, range.message, quoted(entry))] : [],
        ),
      ),
  },
  {
    id: 'role-names-host',
    severity: 'error',
    about: 'All hosts in a role group must be listed in spec.hosts.',
    check: checkNames,
  },
  {
    id: 'role-host-once',
    severity: 'warning',
    about: 'A role group should list each host only once.',
    check: (spec) => eachValid(ROLES, (role) => repeatedHosts(spec, role)),
  },
  {
    id: 'role-master-needed',
    severity: 'error',
    about: 'The cluster must have at least one master.',
    check: ({ roleGroups: { master } }) =>
      master.length === 0 ? [finding(['roleGroups', 'master'], 'must list at least one host')] : [],
  },
  {
    id: 'role-worker-needed',
    severity: 'warning',
    about: 'The cluster should have at least one worker.',
    check: ({ roleGroups: { worker } }) =>
      worker.length === 0
        ? [finding(['roleGroups', 'worker'], 'is empty, so the cluster can only run the control plane')]
        : [],
  },
  {
    id: 'role-none',
    severity: 'warning',
    about: 'Each host should have a role.',
    check: (spec) => {
      const jumps = new Set<unknown>(spec.hosts.map(({ jump }) => jump));
      return spec.hosts.flatMap(({ name }, index) =>
        rolesOf(spec, name).length === 0 && !jumps.has(name)
          ? [finding(['hosts', index, 'name'], 'has no role; the host is not changed', quoted(name))]
          : [],
      );
    },
  },
  {
    id: 'role-registry-one',
    severity: 'error',
    about: 'At most one host can have the registry role.',
    check: (spec) => {
      const count = hostsWithRole(spec, 'registry').length;
      return count > 1 ? [finding(['roleGroups', 'registry'], 'must list at most one host', `${count} hosts`)] : [];
    },
  },
];

interface GroupEntry {
  readonly entry: string;
  readonly range: RoleRange;
  readonly path: readonly (string | number)[];
}

/** Returns the valid entries of a role group with their position in the cluster file. */
function rangesOf({ roleGroups }: Spec, role: Role): readonly GroupEntry[] {
  const entries = eachValid(roleGroups[role], (entry, index) => [{ entry, path: ['roleGroups', role, index] }]);
  const ranges = expandGroup(entries.map(({ entry }) => entry));
  return entries.map((each, index) => ({ ...each, range: ranges[index]! }));
}

function checkNames(spec: Spec): readonly RuleFinding[] {
  const names = new Set(spec.hosts.map(({ name }) => name));
  let suggestions = 0;
  return eachValid(ROLES, (role) =>
    rangesOf(spec, role).flatMap(({ range, entry, path }) => {
      const missing = range.type === 'names' ? range.names.filter((name) => !names.has(name)) : [];
      if (missing.length === 0) return [];
      if (missing[0] !== entry) return [finding(path, missingHosts(missing), quoted(entry))];
      const suggestion = suggestions++ < MAX_SUGGESTIONS ? nearest(entry, [...names]) : undefined;
      return [{ ...finding(path, 'is not in spec.hosts', quoted(entry)), ...near(suggestion) }];
    }),
  );
}

const missingHosts = (missing: readonly string[]) =>
  `includes ${missing.length === 1 ? 'a host that is' : `${missing.length} hosts that are`} not in spec.hosts: ${missing.slice(0, 3).join(', ')}${missing.length > 3 ? ', …' : ''}`;

/** The number of suggestions is limited, because each one compares a name with every host. */
const MAX_SUGGESTIONS = 20;

function repeatedHosts(spec: Spec, role: Role): readonly RuleFinding[] {
  const seen = new Set<string>();
  return rangesOf(spec, role).flatMap(({ range, path }) => {
    if (range.type === 'invalid') return [];
    const again = range.names.find((name) => seen.has(name));
    for (const name of range.names) seen.add(name);
    return again === undefined ? [] : [finding(path, 'is already in this group', quoted(again))];
  });
}
