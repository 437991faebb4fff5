import { ROLES, type Role } from '../../common/host.ts';
import { sameValue, textAt } from '../source/edit.ts';
import { parse } from '../source/parse.ts';
import { treeAt, type Tree } from '../source/tree.ts';
import { namesOf } from './role-range.ts';
import { NotEditable } from './source.ts';

/** The parts of a cluster file that change when hosts are added or removed. */
export interface Members {
  readonly hosts: readonly Tree[];
  /** The names in each role group, with ranges expanded. */
  readonly groups: ReadonlyMap<Role, readonly string[]>;
  /** The rest of the cluster file, without hosts and role groups. */
  readonly rest: Tree;
}

/** Reads the members from the text of a cluster file. */
export function readMembers(text: string): Members {
  const { tree, findings } = parse(text);
  const hosts = tree && treeAt(tree, ['spec', 'hosts']);
  const spec = tree && treeAt(tree, ['spec']);
  if (
    tree?.type !== 'map' ||
    spec?.type !== 'map' ||
    hosts?.type !== 'list' ||
    findings.some(({ type }) => type === 'syntax')
  )
    throw new NotEditable('it is not a valid cluster file');
  const groups = new Map(ROLES.map((role) => [role, groupOf(spec, role)]));
  spec.entries.delete('hosts');
  spec.entries.delete('roleGroups');
  return { hosts: hosts.items, groups, rest: tree };
}

/** Returns the keys of a role group in the cluster file. */
export const groupKeys = (role: Role): readonly string[] => (role === 'master' ? ['master', 'control-plane'] : [role]);

function groupOf(spec: Tree, role: Role): readonly string[] {
  const group = groupKeys(role)
    .map((key) => treeAt(spec, ['roleGroups', key]))
    .find((tree) => tree?.type === 'list');
  if (group?.type !== 'list') return [];
  return group.items.flatMap((item) => (item.type === 'scalar' ? namesOf(String(item.value)) : []));
}

/**
 * Reads the result of an edit and checks that nothing else has changed. Because of an anchor, an alias or a merge key,
 * a change may appear in several places.
 */
export function verify(
  before: Members,
  after: Members,
  expected: Pick<Members, 'groups'> & { readonly kept: readonly Tree[] },
): void {
  if (!sameValue(before.rest, after.rest)) throw new NotEditable('other fields would change, too');
  if (!expected.kept.every((host, index) => after.hosts[index] !== undefined && sameValue(host, after.hosts[index])))
    throw new NotEditable('other hosts would change, too');
  for (const [role, names] of expected.groups) {
    if (names.join() !== (after.groups.get(role) ?? []).join())
      throw new NotEditable(`spec.roleGroups.${role} is the same list as another group`);
  }
}

export const hostName = (host: Tree): string => textAt(host, ['name']) ?? '';
