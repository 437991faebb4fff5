import type { Arches } from '../artifact/catalog/catalog.ts';
import type { Arch } from '../common/host.ts';
import type { Cluster } from '../config/cluster.ts';
import { gatherFacts } from '../runner/facts/gather.ts';
import { connectHosts } from './connect.ts';

/** What the file says of each host; for the others what is assumed, or else what they say themselves. */
export async function findArches(cluster: Cluster, workdir: string, assumed: Arch | undefined): Promise<Arches> {
  const told = cluster.hosts.flatMap(({ name, arch = assumed }) => (arch === undefined ? [] : [[name, arch] as const]));
  const known = new Map(told);
  const others = cluster.hosts.filter(({ name }) => !known.has(name));
  for (const [name, arch] of await askHosts(cluster, others, workdir)) known.set(name, arch);
  return known;
}

async function askHosts(
  cluster: Cluster,
  hosts: Cluster['hosts'],
  workdir: string,
): Promise<readonly (readonly [name: string, arch: Arch])[]> {
  const ways = await connectHosts(cluster, hosts, workdir);
  try {
    return await Promise.all(
      ways.map(async ({ host, connector }) => [host.name, (await gatherFacts(connector)).arch] as const),
    );
  } finally {
    await Promise.allSettled(ways.map(({ connector }) => connector[Symbol.asyncDispose]()));
  }
}
