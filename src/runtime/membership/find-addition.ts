import { fail } from '../../common/errors/errors.ts';
import type { Role } from '../../common/host.ts';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import { canonical } from '../../config/value/address.ts';
import type { Addition } from '../../pipeline/nodes/add.ts';
import { sh } from '../../runner/command.ts';
import { hostNamed } from '../session/hosts.ts';
import { roleState, type Membership } from './membership.ts';
import { readMembership, type MembershipSession } from './read-membership.ts';

/**
 * Finds the hosts and roles of the cluster file that the cluster does not have; undefined if it has all of them. Throws if
 * one of them cannot be added.
 */
export async function findAddition(
  session: MembershipSession,
  workdir: string,
  signal: AbortSignal,
): Promise<Addition | undefined> {
  const membership = await readMembership(session, workdir, signal);
  const roles = missingRoles(session.cluster, membership);
  if (roles.size === 0) return undefined;
  refuseConflicts(session.cluster, membership, roles);
  const { master, etcd } = membership;
  const changesBalancers = [...roles.values()].some((each) => each.includes('master') || each.includes('loadbalancer'));
  const vipHost = changesBalancers ? await findVipHost(session, roles) : undefined;
  return { roles, master, etcdHost: etcd?.host, vipHost };
}

/** The missing roles of each host that `add nodes` can give it, by host name. */
export function missingRoles(cluster: Cluster, membership: Membership): ReadonlyMap<string, readonly Role[]> {
  const addable = new Set<Role>([
    'master',
    'worker',
    'loadbalancer',
    ...(cluster.etcd.type === 'kubexm' ? ['etcd' as const] : []),
  ]);
  return new Map(
    cluster.hosts.flatMap((host) => {
      const missing = host.roles.filter(
        (role) => addable.has(role) && roleState(membership, cluster, host, role) === 'missing',
      );
      return missing.length === 0 ? [] : [[host.name, missing] as const];
    }),
  );
}

/** Names and addresses identify nodes and etcd members: two with the same one would replace each other. */
function refuseConflicts(cluster: Cluster, membership: Membership, roles: ReadonlyMap<string, readonly Role[]>): void {
  const { nodes, applied } = membership;
  for (const host of cluster.hosts.filter(({ name }) => roles.has(name))) {
    const { name } = host;
    const own = new Set(host.internalAddresses.map(canonical));
    const same = nodes.find((node) => node.name === name);
    const isKnown = applied?.has(name) ?? false;
    const address = host.internalAddresses[0];
    if (same && same.address !== '' && !own.has(canonical(same.address)) && !isKnown)
      throw fail('NODE_NAME_IN_USE', { host: name, address, other: same.address });
    const other = nodes.find((node) => node.name !== name && node.address !== '' && own.has(canonical(node.address)));
    if (other) throw fail('NODE_ADDRESS_IN_USE', { host: name, address, other: other.name });
    if (isKnown && changesPart(host, applied?.get(name) ?? []))
      throw fail('NODE_ROLE_FIXED', { host: name, role: 'master' });
  }
}

/** A worker cannot become a master without leaving the cluster first. */
const changesPart = ({ roles }: ClusterHost, before: readonly Role[]) =>
  roles.includes('master') && before.includes('worker') && !before.includes('master');

/** The load balancer that has the virtual IP; unreachable ones and those that are being added do not matter here. */
export async function findVipHost(
  { cluster, hosts, connector }: MembershipSession,
  added: ReadonlyMap<string, readonly Role[]> = new Map(),
): Promise<string | undefined> {
  const { external } = cluster.endpoint;
  if (external.type !== 'kubexm-kh' && external.type !== 'kubexm-kn') return undefined;
  const balancers = hosts.withRole('loadbalancer').filter(({ name }) => !added.get(name)?.includes('loadbalancer'));
  const holds = await Promise.all(
    balancers.map(async ({ name }) => {
      const { text } = sh`ip -o addr show to ${external.address} | grep -q .`;
      const found = await connector(hostNamed(hosts, name))
        .query(text)
        .catch(() => undefined);
      return found?.exit === 0;
    }),
  );
  return balancers.find((_, index) => holds[index])?.name;
}
