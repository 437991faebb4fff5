import type { Arches } from '../../resource/catalog/catalog.ts';
import type { Arch } from '../../common/host.ts';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import { selectHosts } from '../session/select-hosts.ts';
import { openSession, type Session } from '../session/session.ts';

/** What the file says of each host; for the others what is assumed, or else what they say themselves. */
export async function findArches(cluster: Cluster, workdir: string, assumed: Arch | undefined): Promise<Arches> {
  const { known, others } = toldArches(cluster.hosts, assumed);
  if (others.length === 0) return known;
  await using session = await openSession(cluster, workdir);
  const asked = others.map(async (host) => [host.name, await askArch(session, host)] as const);
  return new Map([...known, ...(await Promise.all(asked))]);
}

/** The same for some hosts, over connections that are used later; who cannot be reached is left out. */
export async function meetArches(session: Session, nodes: readonly string[]): Promise<Arches> {
  const { known, others } = toldArches(selectHosts(session.cluster, nodes), undefined);
  const asked = others.map(async (host) => {
    const arch = await askArch(session, host).catch(() => undefined);
    return arch === undefined ? [] : [[host.name, arch] as const];
  });
  return new Map([...known, ...(await Promise.all(asked)).flat()]);
}

function toldArches(hosts: readonly ClusterHost[], assumed: Arch | undefined) {
  const told = hosts.flatMap(({ name, arch = assumed }) => (arch === undefined ? [] : [[name, arch] as const]));
  const known = new Map(told);
  return { known, others: hosts.filter(({ name }) => !known.has(name)) };
}

async function askArch({ hosts, reach }: Session, { name }: ClusterHost): Promise<Arch> {
  const host = hosts.all.find((one) => one.name === name);
  if (!host) throw new TypeError(`${name} is no host of the session`);
  return (await reach(host)).facts.arch;
}
