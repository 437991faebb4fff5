import { containerdFor, newestKubernetesFor, oldestEtcdFrom } from '../data/compatibility.ts';
import { compareVersions, minorOf, toVersion } from './version.ts';

/** Why a containerd does not suit a Kubernetes release, and what would; undefined when it does. */
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
    message: `of containerd is older than Kubernetes ${kubernetes} advises`,
    allowed: oldest.map((start) => `${start} or newer`),
  };
}

/** Why a cri-o does not suit a Kubernetes release. */
export const crioAdvice = (kubernetes: string, version: string): string | undefined =>
  minorOf(version) === minorOf(kubernetes)
    ? undefined
    : `of cri-o should have the minor of Kubernetes, 1.${minorOf(kubernetes)}`;

/** Why an etcd does not suit a Kubernetes release. */
export function etcdAdvice(kubernetes: string, version: string): string | undefined {
  const oldest = oldestEtcdFrom.find(([from]) => compareVersions(kubernetes, from) >= 0)?.[1];
  return oldest !== undefined && compareVersions(version, oldest) < 0
    ? `is older than ${oldest}, which Kubernetes ${kubernetes} needs`
    : undefined;
}

/** Why a network plugin does not suit a Kubernetes release. */
export function networkAdvice(plugin: string, kubernetes: string, version: string): string | undefined {
  const newest = newestTested(plugin, version);
  return newest !== undefined && minorOf(kubernetes) > newest
    ? `of ${plugin} was tested up to Kubernetes 1.${newest}, and the version is ${kubernetes}`
    : undefined;
}

/** What a minor of a plugin was tested with; one older than the table at most with what the oldest there was. */
function newestTested(plugin: string, version: string): number | undefined {
  const table = Object.entries(newestKubernetesFor[plugin] ?? {}).toSorted(([a], [b]) => compareVersions(b, a));
  const minor = version.split('.').slice(0, 2).join('.');
  const [newest] = table;
  if (newest === undefined || compareVersions(minor, newest[0]) > 0) return undefined;
  return (table.find(([known]) => compareVersions(minor, known) >= 0) ?? table.at(-1))?.[1];
}

const isPatchOf = (version: string, start: string) => {
  const [a, b] = [toVersion(version), toVersion(start)];
  return a.major === b.major && a.minor === b.minor && a.patch >= b.patch;
};
