import { isMap, isSeq } from 'yaml';
import { ROLES } from '../../common/host.ts';
import type { Spec } from '../schema/cluster.ts';
import { textAt } from '../source/edit.ts';
import { edited, type Edited } from './add-hosts.ts';
import { openList } from './open-list.ts';
import { removeFromGroup } from './role-group.ts';
import { applySplices, NotEditable, nodeAt, openSource, type Source, type Splice } from './source.ts';
import { groupKeys, hostName, readMembers, verify, type Members } from './verify.ts';

/** Removes hosts and their roles from the text of a valid cluster file. Does not change any other text. */
export function removeHosts(text: string, names: ReadonlySet<string>): Edited {
  return edited(() => {
    const source = openSource(text);
    const before = readMembers(text);
    const result = applySplices(text, [...hostSplices(source, before, names), ...roleSplices(source, names)]);
    const groups = new Map([...before.groups].map(([role, all]) => [role, all.filter((name) => !names.has(name))]));
    const kept = before.hosts.filter((host) => !names.has(hostName(host)));
    const after = readMembers(result);
    if (after.hosts.length !== kept.length) throw new NotEditable('other hosts would change, too');
    verify(before, after, { groups, kept });
    return result;
  });
}

function hostSplices(source: Source, { hosts }: Members, names: ReadonlySet<string>): readonly Splice[] {
  const node = nodeAt(source, ['spec', 'hosts']);
  if (!isSeq(node)) throw new NotEditable('spec.hosts is not a list');
  const removed = hosts.flatMap((host, index) => (names.has(hostName(host)) ? [index] : []));
  const anchored = removed.map((index) => node.items[index]).find((item) => isMap(item) && item.anchor);
  if (isMap(anchored) && source.text.includes(`*${anchored.anchor}`))
    throw new NotEditable(`a host to be removed defines the anchor &${anchored.anchor}, which the file uses elsewhere`);
  const label = (index: number) => [hostName(hosts[index]!), textAt(hosts[index]!, ['address']) ?? ''];
  return openList(source, node, 'spec.hosts').remove(new Set(removed), label);
}

function roleSplices(source: Source, names: ReadonlySet<string>): readonly Splice[] {
  const lists = ROLES.flatMap((role) =>
    groupKeys(role).map((key) => ({ key, list: nodeAt(source, ['spec', 'roleGroups', key]) })),
  );
  return lists.flatMap(({ key, list }, index) =>
    isSeq(list) && lists.findIndex((other) => other.list === list) === index
      ? removeFromGroup(source, list, key, names)
      : [],
  );
}

/** Returns the references by name that prevent the removal of hosts from the cluster file. */
export function referencesTo({ hosts, system }: Spec, names: ReadonlySet<string>): readonly string[] {
  const jumps = hosts.flatMap(({ name, jump }) =>
    typeof jump === 'string' && names.has(jump) && !names.has(name) ? [`${jump} is the jump host of ${name}`] : [],
  );
  const time = system.ntpServers.filter((server) => names.has(server));
  return [...jumps, ...time.map((name) => `${name} is the time server of the cluster (spec.system.ntpServers)`)];
}
