import { isMap, isSeq } from 'yaml';
import type { Role } from '../../common/host.ts';
import { sameValue, textAt } from '../source/edit.ts';
import type { Tree } from '../source/tree.ts';
import { LOGIN_FIELDS, replacedFields, writeHostEntry, type HostFields } from './host-entry.ts';
import { openList } from './open-list.ts';
import { addToGroup } from './role-group.ts';
import { applySplices, NotEditable, nodeAt, openSource, pairOf, type Source, type Splice } from './source.ts';
import { groupKeys, hostName, readMembers, verify, type Members } from './verify.ts';

/** A host to add to a cluster file, or roles to add to an existing host. */
export interface Addition {
  readonly roles: readonly Role[];
  readonly name: string;
  /** Undefined if the cluster file already contains the host. */
  readonly fields: Omit<HostFields, 'name'> | undefined;
}

/** The new text of a cluster file, or the reason why it must be edited manually. */
export type Edited =
  { readonly type: 'edited'; readonly text: string } | { readonly type: 'refused'; readonly reason: string };

/** Adds hosts and roles to the text of a valid cluster file. Does not change any other text. */
export function addHosts(text: string, additions: readonly Addition[]): Edited {
  return edited(() => {
    const source = openSource(text);
    const before = readMembers(text);
    const result = applySplices(text, [
      ...hostSplices(source, before, additions),
      ...roleSplices(source, before, additions),
    ]);
    check(before, readMembers(result), additions);
    return result;
  });
}

export function edited(edit: () => string): Edited {
  try {
    return { type: 'edited', text: edit() };
  } catch (error) {
    if (!(error instanceof NotEditable)) throw error;
    return { type: 'refused', reason: error.message };
  }
}

function hostSplices(source: Source, before: Members, additions: readonly Addition[]): readonly Splice[] {
  const hosts = nodeAt(source, ['spec', 'hosts']);
  if (!isSeq(hosts)) throw new NotEditable('spec.hosts is not a list');
  const entries = additions.flatMap(({ name, roles, fields }) => {
    if (!fields) return [];
    const template = hosts.items[templateIndex(hosts.items, before, roles)];
    if (!isMap(template)) throw new NotEditable('no host in spec.hosts is written as a map');
    return [writeHostEntry(source, template, { name, ...fields })];
  });
  return entries.length === 0 ? [] : openList(source, hosts, 'spec.hosts').append(entries);
}

/** Returns the index of the host whose login a new host uses: the last host with the same role, or the last host. */
function templateIndex(items: readonly unknown[], { hosts, groups }: Members, roles: readonly Role[]): number {
  const similar = new Set(roles.flatMap((role) => groups.get(role) ?? []));
  const like = hosts.findLastIndex((host, index) => similar.has(hostName(host)) && isMap(items[index]));
  return like >= 0 ? like : items.findLastIndex((item) => isMap(item));
}

function roleSplices(source: Source, before: Members, additions: readonly Addition[]): readonly Splice[] {
  const groups = nodeAt(source, ['spec', 'roleGroups']);
  if (!isMap(groups)) throw new NotEditable('spec.roleGroups is not a map');
  const edits = [...addedNames(before, additions)].flatMap(([role, names]) => {
    const present = groupKeys(role).filter((key) => pairOf(source.document, groups, key));
    return (present.length > 0 ? present : [role]).map((key) => ({ key, names }));
  });
  return withoutSharedLists(source, edits).flatMap(({ key, names }) => addToGroup(source, groups, key, names));
}

interface GroupEdit {
  readonly key: string;
  readonly names: readonly string[];
}

/** Removes groups that share a list with another group (`etcd: *masters`), because the list is edited only once. */
function withoutSharedLists(source: Source, edits: readonly GroupEdit[]): readonly GroupEdit[] {
  const listOf = ({ key }: GroupEdit) => nodeAt(source, ['spec', 'roleGroups', key]);
  return edits.filter((edit, index) => {
    const list = listOf(edit);
    return !isSeq(list) || edits.findIndex((other) => listOf(other) === list) === index;
  });
}

/** Returns the names that are not in each role group yet. */
const addedNames = ({ groups }: Members, additions: readonly Addition[]): ReadonlyMap<Role, readonly string[]> => {
  const roles = new Set(additions.flatMap((addition) => addition.roles));
  return new Map(
    [...roles].flatMap((role) => {
      const present = new Set(groups.get(role));
      const names = additions
        .filter(({ roles: own, name }) => own.includes(role) && !present.has(name))
        .map(({ name }) => name);
      return names.length > 0 ? [[role, names] as const] : [];
    }),
  );
};

function check(before: Members, after: Members, additions: readonly Addition[]): void {
  const added = addedNames(before, additions);
  const groups = new Map([...before.groups].map(([role, names]) => [role, [...names, ...(added.get(role) ?? [])]]));
  verify(before, after, { groups, kept: before.hosts });
  const expected = additions.flatMap(({ name, fields }) => (fields ? [{ name, ...fields }] : []));
  const hosts = after.hosts.slice(before.hosts.length);
  if (hosts.length !== expected.length || !expected.every((fields, index) => isExpected(before, hosts[index]!, fields)))
    throw new NotEditable('the new hosts cannot be written in the style of the existing hosts');
}

/** Returns whether a new host has only the given fields and the login settings of one existing host. */
function isExpected({ hosts }: Members, host: Tree, fields: HostFields): boolean {
  const own = Object.entries(fields).filter(([, value]) => value !== undefined);
  if (host.type !== 'map' || !own.every(([key, value]) => textAt(host, [key]) === value)) return false;
  const others = [...host.entries].filter(([key]) => !own.some(([name]) => name === key));
  const replaced = replacedFields(fields);
  return hosts.some((like) => {
    if (like.type !== 'map') return false;
    const hasAll = LOGIN_FIELDS.every((key) => replaced.has(key) || host.entries.has(key) === like.entries.has(key));
    return (
      hasAll &&
      others.every(([key, { tree }]) => {
        const twin = like.entries.get(key);
        return twin !== undefined && !replaced.has(key) && sameValue(tree, twin.tree);
      })
    );
  });
}
