import type { SystemPackages } from '../../resource/bundle/bundle-index.ts';
import { findPackageRecord } from '../../resource/bundle/system-packages.ts';
import { openCache } from '../../resource/cache/cache.ts';
import { fail } from '../../common/errors/errors.ts';
import type { Cluster, ClusterHost } from '../../config/model/cluster.ts';
import type { Connector } from '../../connector/connector.ts';
import { localConnector } from '../../connector/local.ts';
import type { Facts } from '../../runner/facts.ts';
import { gatherFacts } from '../../runner/facts/gather.ts';
import type { PackageSources } from '../../step/artifact/fetch-packages.ts';
import { systemOf, wantedPackages } from '../../step/host-requirements/packages.ts';
import { connectHosts, type OnNewHostKey } from '../session/connect.ts';
import { parseUris, resolveScript } from './apt-uris.ts';

/** The packages for each operating system, their download sources, and notes for the user. */
export interface FoundPackages {
  readonly systems: readonly SystemPackages[];
  /** Packages to download unless cached. */
  readonly packages: readonly (PackageSources & { readonly host: string | undefined })[];
  readonly notes: readonly string[];
}

/** Where to get packages from. */
export interface PackageRequest {
  readonly workdir: string;
  readonly packagesFrom: 'hosts' | 'here' | 'none';
  /** Use only cached packages. */
  readonly offline: boolean;
  /** Do not resolve packages on hosts. */
  readonly dryRun: boolean;
  readonly onNewHostKey?: OnNewHostKey;
}

/** Resolves the packages that hosts need, with all dependencies, on one host per operating system or on this machine. */
export async function findPackages(
  cluster: Cluster,
  { workdir, packagesFrom: from, offline, dryRun, onNewHostKey }: PackageRequest,
): Promise<FoundPackages> {
  if (from === 'none') return { ...NONE, notes: ['The bundle contains no system packages.'] };
  const sources =
    from === 'hosts'
      ? await connectHosts(cluster, cluster.hosts, workdir, onNewHostKey)
      : [{ host: undefined, connector: localConnector() }];
  try {
    const probed = await Promise.all(
      sources.map(async (source) => ({ ...source, facts: await gatherFacts(source.connector) })),
    );
    const keyOf = ({ facts }: ProbedHost) => `${systemOf(facts)} ${facts.arch}`;
    const groups = [...new Set(probed.map(keyOf))].map((key) => probed.filter((one) => keyOf(one) === key));
    const find = offline || dryRun ? fromCache : fromHost;
    const found = await Promise.all(groups.map((group) => find(cluster, group, offline)));
    return {
      systems: found.flatMap((one) => one.systems),
      packages: found.flatMap((one) => one.packages),
      notes: found.flatMap((one) => one.notes),
    };
  } finally {
    await Promise.allSettled(sources.map(({ connector }) => connector[Symbol.asyncDispose]()));
  }
}

interface ProbedHost {
  readonly host: ClusterHost | undefined;
  readonly connector: Connector;
  readonly facts: Facts;
}

const NONE: FoundPackages = { systems: [], packages: [], notes: [] };

/** Finds the packages for the hosts of one operating system in the cache. */
async function fromCache(cluster: Cluster, group: readonly ProbedHost[], offline: boolean): Promise<FoundPackages> {
  const [first] = group;
  if (!first) return NONE;
  const { arch } = first.facts;
  const id = systemOf(first.facts);
  const wanted = neededBy(cluster, group);
  const system = await findPackageRecord(openCache(), { id, arch, wanted });
  if (system) return { ...NONE, systems: [system] };
  const list = wanted.join(', ');
  const resolver = first.host?.name ?? 'this machine';
  const note = offline
    ? `The bundle contains no packages for ${id}: ${list} not found in the cache.`
    : `Would resolve packages on ${resolver}: ${list}.`;
  return { ...NONE, notes: wanted.length === 0 ? [] : [note] };
}

/** Resolves the packages for the hosts of one operating system on the first of them. */
async function fromHost(cluster: Cluster, group: readonly ProbedHost[]): Promise<FoundPackages> {
  const [first] = group;
  if (!first) return NONE;
  const { facts, host, connector } = first;
  const id = systemOf(facts);
  if (facts.packageManager !== 'apt')
    return {
      ...NONE,
      notes: [`The bundle contains no packages for ${id}: give its hosts access to a package repository.`],
    };
  const wanted = neededBy(cluster, group);
  if (wanted.length === 0) return NONE;
  const { exit, stdout, stderr } = await connector.exec(resolveScript(wanted));
  const { found, withoutChecksum } = parseUris(stdout);
  if (withoutChecksum.length > 0)
    throw fail('PACKAGE_SUM_MISSING', { host: connector.host, packages: withoutChecksum.join(', ') });
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

function neededBy(cluster: Cluster, group: readonly ProbedHost[]): readonly string[] {
  const hosts = group.flatMap(({ host, facts }) => (host ? [host] : cluster.hosts).map((one) => ({ one, facts })));
  return [...new Set(hosts.flatMap(({ one, facts }) => wantedPackages(cluster, one, facts)))].sort();
}
