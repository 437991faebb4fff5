import { containerdFor, oldestEtcdFrom } from '../data/compatibility.ts';
import { NETWORK_PLUGINS, type NetworkPlugin } from './network-plugins.ts';
import { compareVersions, minorOf, toVersion } from './version.ts';

/** Explains why a containerd version is too old for a Kubernetes release. Returns undefined if it is compatible. */
export function containerdAdvice(
  kubernetes: string,
  version: string,
): { readonly message: string; readonly allowed: readonly string[] } | undefined {
  const oldest = containerdFor[minorOf(kubernetes)] ?? [];
  const newestBranch = oldest.at(-1);
  if (newestBranch === undefined) return undefined;
  if (oldest.some((start) => isPatchOf(version, start)) || compareVersions(version, newestBranch) >= 0)
    return undefined;
  return {
    message: `is older than recommended for Kubernetes ${kubernetes}`,
    allowed: oldest.map((start) => `${start} or newer`),
  };
}

export const crioAdvice = (kubernetes: string, version: string): string | undefined =>
  minorOf(version) === minorOf(kubernetes)
    ? undefined
    : `should have the same minor version as Kubernetes, 1.${minorOf(kubernetes)}`;

export function etcdAdvice(kubernetes: string, version: string): string | undefined {
  const oldest = oldestEtcdFrom.find(([from]) => compareVersions(kubernetes, from) >= 0)?.[1];
  return oldest !== undefined && compareVersions(version, oldest) < 0
    ? `is older than ${oldest}, the minimum for Kubernetes ${kubernetes}`
    : undefined;
}

export function networkAdvice(plugin: NetworkPlugin['type'], kubernetes: string, version: string): string | undefined {
  const newest = newestTested(plugin, version);
  return newest !== undefined && minorOf(kubernetes) > newest
    ? `was tested up to Kubernetes 1.${newest}, but the cluster uses ${kubernetes}`
    : undefined;
}

/**
 * Returns the newest Kubernetes minor version tested with a plugin version. Versions older than the table use its
 * oldest entry.
 */
function newestTested(plugin: NetworkPlugin['type'], version: string): number | undefined {
  const table = Object.entries(NETWORK_PLUGINS[plugin].testedWith).toSorted(([a], [b]) => compareVersions(b, a));
  const minor = version.split('.').slice(0, 2).join('.');
  const [newest] = table;
  if (newest === undefined || compareVersions(minor, newest[0]) > 0) return undefined;
  return (table.find(([known]) => compareVersions(minor, known) >= 0) ?? table.at(-1))?.[1];
}

const isPatchOf = (version: string, start: string) => {
  const [a, b] = [toVersion(version), toVersion(start)];
  return a.major === b.major && a.minor === b.minor && a.patch >= b.patch;
};
