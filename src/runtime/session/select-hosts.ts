import { fail } from '../../common/errors/errors.ts';
import { ROLES } from '../../common/host.ts';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import { splitList } from '../../util/text.ts';

/** Returns the hosts matching names, globs or roles ("node1", "node*", "role:master"), in cluster file order. */
export function selectHosts({ hosts }: Cluster, patterns: readonly string[]): readonly ClusterHost[] {
  const wanted = splitList(patterns);
  if (wanted.length === 0) return hosts;
  for (const pattern of wanted) {
    if (!hosts.some((host) => matches(host, pattern)))
      throw fail('NO_SUCH_HOST', { pattern, hosts: namesOf(hosts), roles: ROLES.join(', ') });
  }
  return hosts.filter((host) => wanted.some((pattern) => matches(host, pattern)));
}

function matches({ name, roles }: ClusterHost, pattern: string): boolean {
  const [, role] = /^role:(.+)$/.exec(pattern) ?? [];
  if (role !== undefined) return roles.some((each) => each === (role === 'control-plane' ? 'master' : role));
  return globOf(pattern).test(name);
}

const globOf = (pattern: string) =>
  new RegExp(
    `^${pattern
      .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  );

const namesOf = (hosts: readonly ClusterHost[]) => {
  const names = hosts.map(({ name }) => name);
  return names.length > 12 ? `${names.slice(0, 12).join(', ')}, …` : names.join(', ');
};
