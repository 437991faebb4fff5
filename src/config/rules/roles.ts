import { ROLES } from '../../common/host.ts';
import { quoted } from '../load/issues.ts';
import { nearest } from '../load/nearest.ts';
import { expandGroup, type RoleRange } from '../value/role-range.ts';
import { hostsWithRole, rolesOf } from '../model/roles.ts';
import type { Spec } from '../schema/cluster.ts';
import { finding, near, type Rule, type RuleFinding } from './rule.ts';

export const roleRules: readonly Rule[] = [
  {
    id: 'role-range',
    severity: 'error',
    about: 'A range of hosts is written as node[1:3], the lower number first.',
    reads: ['roleGroups'],
    each: true,
    check: (spec) =>
      eachEntry(spec, (range, entry) =>
        range.type === 'fault' ? [{ message: range.message, got: quoted(entry) }] : [],
      ),
  },
  {
    id: 'role-names-host',
    severity: 'error',
    about: 'Each entry of a role group names hosts of the file.',
    reads: ['roleGroups', 'hosts.*.name'],
    each: true,
    check: checkNames,
  },
  {
    id: 'role-host-once',
    severity: 'warning',
    about: 'A host stands once in a role group.',
    reads: ['roleGroups'],
    each: true,
    check: (spec) => ROLES.flatMap((role) => repeatedHosts(spec, role)),
  },
  {
    id: 'role-master-needed',
    severity: 'error',
    about: 'There is at least one master.',
    reads: ['roleGroups'],
    check: (spec) =>
      spec.roleGroups.master.length === 0 ? [finding(['roleGroups', 'master'], 'must name at least one host')] : [],
  },
  {
    id: 'role-worker-needed',
    severity: 'warning',
    about: 'There is at least one worker.',
    reads: ['roleGroups'],
    check: (spec) =>
      spec.roleGroups.worker.length === 0
        ? [finding(['roleGroups', 'worker'], 'names no host, so nothing can run but the control plane')]
        : [],
  },
  {
    id: 'role-none',
    severity: 'warning',
    about: 'Each host has a role.',
    reads: ['roleGroups', 'hosts.*.name', 'hosts.*.jump'],
    check: (spec) => {
      const jumps = new Set(spec.hosts.map(({ jump }) => jump));
      return spec.hosts.flatMap(({ name }, index) =>
        rolesOf(spec, name).length === 0 && !jumps.has(name)
          ? [finding(['hosts', index, 'name'], 'has no role and is left alone', quoted(name))]
          : [],
      );
    },
  },
  {
    id: 'role-registry-one',
    severity: 'error',
    about: 'At most one host is the registry.',
    reads: ['roleGroups.registry'],
    check: (spec) => {
      const count = hostsWithRole(spec, 'registry').length;
      return count > 1 ? [finding(['roleGroups', 'registry'], 'must name one host at most', `${count} hosts`)] : [];
    },
  },
];

/** Names that no host has. Without the name of a host nobody can tell, so then nothing is said. */
function checkNames(spec: Spec): readonly RuleFinding[] {
  const names = new Set(spec.hosts.map(({ name }) => name));
  if (names.has('placeholder')) return [];
  let suggestions = 0;
  return eachEntry(spec, (range, entry) => {
    const unknown = range.type === 'names' ? range.names.filter((name) => !names.has(name)) : [];
    const isRange = range.type === 'names' && range.names.length > 1;
    return unknown.slice(0, 3).map((name) => ({
      message: isRange ? `names no host with ${quoted(name)}` : 'names no host',
      got: quoted(entry),
      ...(suggestions++ < MAX_SUGGESTIONS && near(nearest(name, [...names]))),
    }));
  });
}

/** Nobody reads more of them, and each is compared with every host. */
const MAX_SUGGESTIONS = 20;

function eachEntry(
  spec: Spec,
  check: (range: RoleRange, entry: string) => readonly Omit<RuleFinding, 'path'>[],
): readonly RuleFinding[] {
  return ROLES.flatMap((role) =>
    expandGroup(spec.roleGroups[role]).flatMap((range, index) =>
      check(range, spec.roleGroups[role][index] ?? '').map((found) => ({
        path: ['roleGroups', role, index],
        ...found,
      })),
    ),
  );
}

function repeatedHosts(spec: Spec, role: (typeof ROLES)[number]): readonly RuleFinding[] {
  const seen = new Set<string>();
  return expandGroup(spec.roleGroups[role]).flatMap((range, index) => {
    if (range.type === 'fault') return [];
    const again = range.names.find((name) => seen.has(name));
    for (const name of range.names) seen.add(name);
    return again === undefined ? [] : [finding(['roleGroups', role, index], 'is in this group already', quoted(again))];
  });
}
