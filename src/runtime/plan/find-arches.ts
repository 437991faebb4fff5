import type { Arches } from '../../resource/catalog/cluster-artifacts.ts';
import type { Arch } from '../../common/host.ts';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import type { OnNewHostKey } from '../session/connect.ts';
import { selectHosts } from '../session/select-hosts.ts';
import { openSession, type Session } from '../session/session.ts';

/** The architecture of every host: from the cluster file, else the default, else from the host itself. */
export async function findArches(
  cluster: Cluster,
  workdir: string,
  fallback: Arch | undefined,
  onNewHostKey?: OnNewHostKey,
): Promise<Arches> {
  const { known, unknown } = configuredArches(cluster.hosts, fallback);
  if (unknown.length === 0) return known;
  await using session = await openSession(cluster, workdir, onNewHostKey);
  const found = unknown.map(async (host) => [host.name, await readArch(session, host)] as const);
  return new Map([...known, ...(await Promise.all(found))]);
}

/** The part of a session that is needed to gather facts. */
export type ReachableHosts = Pick<Session, 'cluster' | 'hosts' | 'reach'>;

/** The architecture of those selected hosts that a plan acts on, over the session. Unreachable hosts are left out. */
export async function reachableArches(
  session: ReachableHosts,
  nodes: readonly string[],
  planned: ReadonlySet<string>,
): Promise<Arches> {
  const selected = selectHosts(session.cluster, nodes).filter(({ name }) => planned.has(name));
  const { known, unknown } = configuredArches(selected, undefined);
  const found = unknown.map(async (host) => {
    const arch = await readArch(session, host).catch(() => undefined);
    return arch === undefined ? [] : [[host.name, arch] as const];
  });
  return new Map([...known, ...(await Promise.all(found)).flat()]);
}

/** The architectures in the cluster file, or amd64 if not set: sufficient to determine the steps of a plan. */
export const assumedArches = ({ hosts }: Cluster): Arches => configuredArches(hosts, 'amd64').known;

function configuredArches(hosts: readonly ClusterHost[], fallback: Arch | undefined) {
  const known = new Map(
    hosts.flatMap(({ name, arch = fallback }) => (arch === undefined ? [] : [[name, arch] as const])),
  );
  return { known, unknown: hosts.filter(({ name }) => !known.has(name)) };
}

async function readArch({ hosts, reach }: ReachableHosts, { name }: ClusterHost): Promise<Arch> {
  const host = hosts.all.find((one) => one.name === name);
  if (!host) throw new TypeError(`${name} is not a host of the session`);
  return (await reach(host)).facts.arch;
}
