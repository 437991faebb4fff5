import { addHosts, type Addition, type Edited } from '../../../../src/config/edit/add-hosts.ts';
import { removeHosts } from '../../../../src/config/edit/remove-hosts.ts';
import { unifiedDiff } from '../../../../src/util/unified-diff.ts';

/** A cluster file with these hosts and role groups. */
export const file = (hosts: string, groups = 'master: [node1]') => `# A cluster.
apiVersion: kubexm.mensylisir.io/v1alpha1
kind: Cluster
metadata:
  name: test
spec:
${hosts}  roleGroups:
    etcd: [${/name: *['"]?([\w-]+)/.exec(hosts)?.[1]}]
    ${groups}
  # The rest.
  kubernetes: { version: v1.35.8 }
`;

export const added = (text: string, ...additions: readonly Addition[]): string => textOf(addHosts(text, additions));

export const removed = (text: string, ...names: readonly string[]): string => textOf(removeHosts(text, new Set(names)));

function textOf(edited: Edited): string {
  if (edited.type === 'refused') throw new Error(edited.reason);
  return edited.text;
}

/** The removed and added lines. */
export const changesOf = (before: string, after: string): readonly string[] =>
  unifiedDiff('f', before, after)
    .split('\n')
    .slice(2)
    .filter((line) => /^[+-]/.test(line));
