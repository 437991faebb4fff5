import type { SystemPackages } from '../../resource/bundle/bundle-index.ts';
import { recallPackages } from '../../resource/bundle/system-packages.ts';
import { openCache } from '../../resource/cache/cache.ts';
import { fail } from '../../common/errors/errors.ts';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import type { Connector } from '../../connector/connector.ts';
import { localConnector } from '../../connector/local.ts';
import type { Facts } from '../../runner/facts.ts';
import { gatherFacts } from '../../runner/facts/gather.ts';
import type { PackageSources } from '../../step/artifact/fetch-packages.ts';
import { systemOf, wantedPackages } from '../../step/os/package-names.ts';
import { connectHosts } from '../session/connect.ts';
import { parseUris, resolveScript } from './apt-uris.ts';

/** Packages of each system, who fetches them, and what a person should know. */
export interface FoundPackages {
  readonly systems: readonly SystemPackages[];
  /** Those that have to be fetched, where they are not here. */
  readonly packages: readonly (PackageSources & { readonly host: string | undefined })[];
  readonly notes: readonly string[];
}

/** Whom to ask for packages. */
export interface PackageWish {
  readonly workdir: string;
  readonly packagesFrom: 'hosts' | 'here' | 'none';
  /** What was fetched before is all there is. */
  readonly offline: boolean;
  /** Hosts are looked at only. */
  readonly dryRun: boolean;
}

/** Asks one host of each system, or this machine for all, which packages hosts need with all they depend on. */
export async function findPackages(
  cluster: Cluster,
  { workdir, packagesFrom: from, offline, dryRun }: PackageWish,
): Promise<FoundPackages> {
  if (from === 'none') return { ...NONE, notes: ["It has no packages of the hosts' systems."] };
  const ways =
    from === 'hosts'
      ? await connectHosts(cluster, cluster.hosts, workdir)
      : [{ host: undefined, connector: localConnector() }];
  try {
    const asked = await Promise.all(ways.map(async (way) => ({ ...way, facts: await gatherFacts(way.connector) })));
    const keyOf = ({ facts }: Asked) => `${systemOf(facts)} ${facts.arch}`;
    const groups = [...new Set(asked.map(keyOf))].map((key) => asked.filter((one) => keyOf(one) === key));
    const find = offline || dryRun ? recall : resolve;
    const found = await Promise.all(groups.map((group) => find(cluster, group, offline)));
    return {
      systems: found.flatMap((one) => one.systems),
      packages: found.flatMap((one) => one.packages),
      notes: found.flatMap((one) => one.notes),
    };
  } finally {
    await Promise.allSettled(ways.map(({ connector }) => connector[Symbol.asyncDispose]()));
  }
}

interface Asked {
  readonly host: ClusterHost | undefined;
  readonly connector: Connector;
  readonly facts: Facts;
}

const NONE: FoundPackages = { systems: [], packages: [], notes: [] };

/** What is here of packages for hosts of one system. */
async function recall(cluster: Cluster, group: readonly Asked[], offline: boolean): Promise<FoundPackages> {
  const [first] = group;
  if (!first) return NONE;
  const { arch } = first.facts;
  const id = systemOf(first.facts);
  const wanted = wantedBy(cluster, group);
  const system = await recallPackages(openCache(), { id, arch, wanted });
  if (system) return { ...NONE, systems: [system] };
  const list = wanted.join(', ');
  const asker = first.host?.name ?? 'this machine';
  const why = offline ? `It has no packages of ${id}: ${list} are not here` : `${asker} would be asked for ${list}`;
  return { ...NONE, notes: wanted.length === 0 ? [] : [`${why}.`] };
}

/** What the hosts of one system need, found out by the first of them. */
async function resolve(cluster: Cluster, group: readonly Asked[]): Promise<FoundPackages> {
  const [first] = group;
  if (!first) return NONE;
  const { facts, host, connector } = first;
  const id = systemOf(facts);
  if (facts.packageManager !== 'apt')
    return { ...NONE, notes: [`It has no packages of ${id}: bring a repository of them to the hosts.`] };
  const wanted = wantedBy(cluster, group);
  if (wanted.length === 0) return NONE;
  const { exit, stdout, stderr } = await connector.exec(resolveScript(wanted));
  const { found, unsummed } = parseUris(stdout);
  if (unsummed.length > 0) throw fail('PACKAGE_SUM_MISSING', { host: connector.host, packages: unsummed.join(', ') });
  if (exit !== 0 || found.length === 0)
    throw fail('COMMAND_FAILED', {
      host: connector.host,
      command: `apt-get install ${wanted.join(' ')}`,
      exit,
      output: stderr,
    });
  const packages = found.map(({ package: one }) => one);
  const system: SystemPackages = { id, arch: facts.arch, wanted: [...wanted], packages };
  return {
    systems: [system],
    packages: [
      { host: host?.name, system, uris: Object.fromEntries(found.map(({ uri, package: one }) => [one.sha256, uri])) },
    ],
    notes: [],
  };
}

function wantedBy(cluster: Cluster, group: readonly Asked[]): readonly string[] {
  const hosts = group.flatMap(({ host, facts }) => (host ? [host] : cluster.hosts).map((one) => ({ one, facts })));
  return [...new Set(hosts.flatMap(({ one, facts }) => wantedPackages(cluster, one, facts)))].sort();
}
