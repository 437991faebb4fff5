import { ROLES } from '../../common/host.ts';
import { quoted } from '../issues.ts';
import { nearest } from '../nearest.ts';
import { expandRange } from '../role-range.ts';
import { hostsWithRole, rolesOf } from '../roles.ts';
import type { Spec } from '../schema/cluster.ts';
import { finding, near, type Rule, type RuleFinding } from './rule.ts';

export const roleRules: readonly Rule[] = [
  {
    id: 'role-range',
    severity: 'error',
    about: 'A range of hosts is written as node[1:3], the lower number first.',
    reads: ['roleGroups'],
    check: (spec) =>
      eachEntry(spec, (entry) => {
        const range = expandRange(entry);
        return range.type === 'fault' ? [{ message: range.message, got: quoted(entry) }] : [];
      }),
  },
  {
    id: 'role-names-host',
    severity: 'error',
    about: 'Each entry of a role group names hosts of the file.',
    reads: ['roleGroups', 'hosts.*.name'],
    check: (spec) => {
      const names = new Set(spec.hosts.map(({ name }) => name));
      return eachEntry(spec, (entry) => {
        const range = expandRange(entry);
        const unknown = range.type === 'names' ? range.names.filter((name) => !names.has(name)) : [];
        return unknown.slice(0, 3).map((name) => ({
          message:
            range.type === 'names' && range.names.length > 1 ? `names no host with ${quoted(name)}` : 'names no host',
          got: quoted(entry),
          ...near(nearest(name, [...names])),
        }));
      });
    },
  },
  {
    id: 'role-host-once',
    severity: 'warning',
    about: 'A host stands once in a role group.',
    reads: ['roleGroups'],
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

function eachEntry(spec: Spec, check: (entry: string) => readonly Omit<RuleFinding, 'path'>[]): readonly RuleFinding[] {
  return ROLES.flatMap((role) =>
    spec.roleGroups[role].flatMap((entry, index) =>
      check(entry).map((found) => ({ path: ['roleGroups', role, index], ...found })),
    ),
  );
}

function repeatedHosts(spec: Spec, role: (typeof ROLES)[number]): readonly RuleFinding[] {
  const seen = new Set<string>();
  return spec.roleGroups[role].flatMap((entry, index) => {
    const range = expandRange(entry);
    const again = range.type === 'names' ? range.names.filter((name) => seen.has(name)) : [];
    if (range.type === 'names') for (const name of range.names) seen.add(name);
    return again
      .slice(0, 1)
      .map((name) => finding(['roleGroups', role, index], 'is in this group already', quoted(name)));
  });
}
