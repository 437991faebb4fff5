import { fail } from '../../common/errors/errors.ts';
import type { ClusterHost } from '../../config/model/cluster.ts';
import type { Removal } from '../../pipeline/nodes/delete.ts';
import { memberOn } from '../../step/etcd/members.ts';
import { readMembership, type MembershipSession } from './read-membership.ts';

/** The host to reset, and the cluster that it belonged to. */
export type Cleanup = Pick<Removal, 'after' | 'reset' | 'master'>;

/** Checks that a host of the session has left the cluster, so that it can be reset. */
export async function findCleanup(
  session: MembershipSession,
  name: string,
  { workdir, signal }: { readonly workdir: string; readonly signal: AbortSignal },
): Promise<Cleanup> {
  const { cluster } = session;
  const after = { ...cluster, hosts: cluster.hosts.filter((host) => host.name !== name) };
  const { master, nodes, etcd } = await readMembership({ ...session, cluster: after }, workdir, signal);
  const host = cluster.hosts.find((each) => each.name === name);
  if (nodes.some((node) => node.name === name)) throw fail('HOST_STILL_MEMBER', { host: name, as: 'a node' });
  if (host && etcd && memberOn(etcd.members, host))
    throw fail('HOST_STILL_MEMBER', { host: name, as: 'an etcd member' });
  // The machine may have been added again under another name.
  const again = host && after.hosts.find((other) => sharesAddress(host, other));
  if (again) throw fail('HOST_STILL_MEMBER', { host: name, as: `${again.name}, which has the same address` });
  return { after, reset: [name], master };
}

const sharesAddress = (one: ClusterHost, other: ClusterHost): boolean =>
  one.internalAddresses.some((address) => other.internalAddresses.includes(address)) ||
  (one.login.address === other.login.address && one.login.port === other.login.port);
