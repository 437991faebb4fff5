import { etcdOn } from '../../../config/model/ports.ts';
import type { Mount } from '../../../runner/facts.ts';
import { commandOn, reachedHosts, type HealthCheck, type HealthFinding, type HealthInput } from '../check.ts';
import type { ReachedHost } from '../../probe/probe-host.ts';

export const disk: HealthCheck = {
  name: 'disk',
  condition: 'DisksHaveRoom',
  evaluate: (input) => {
    const hosts = reachedHosts(input);
    if (hosts.length === 0) return { type: 'unknown', found: 'no host could be reached' };
    const mounts = hosts.flatMap((probe) => mountsOf(input, probe).map((mount) => ({ host: probe.host.name, mount })));
    const least = Math.min(...mounts.map(({ mount }) => freeShare(mount)), 1);
    return {
      type: 'evaluated',
      found: `at least ${Math.floor(least * 100)}% free on all file systems used by the cluster`,
      findings: mounts.flatMap(({ host, mount }) => findingOf(input, host, mount)),
    };
  },
};

function findingOf(input: HealthInput, host: string, mount: Mount): readonly HealthFinding[] {
  const free = freeShare(mount);
  if (free >= WARN) return [];
  const resource = mount.freeBytes / mount.sizeBytes > free ? 'inodes' : 'disk space';
  return [
    {
      host,
      severity: free < FAIL ? 'failed' : 'warning',
      found: `${Math.floor(free * 100)}% of ${resource} free on ${mount.path}`,
      next: commandOn(input, host, `du -xh -d 2 ${mount.path} 2>/dev/null | sort -h | tail; crictl rmi --prune`),
    },
  ];
}

/** The kubelet deletes images below 15% and evicts pods below 10%. */
const WARN = 0.15;
const FAIL = 0.05;

const freeShare = ({ sizeBytes, freeBytes, inodes, freeInodes }: Mount) =>
  Math.min(freeBytes / sizeBytes, inodes > 0 ? freeInodes / inodes : 1);

/** The file systems that the cluster writes to. */
function mountsOf({ cluster }: HealthInput, { host, facts }: ReachedHost): readonly Mount[] {
  const { dataDir } = cluster.kubernetes.containerRuntime;
  const folders = [
    '/var/lib/kubelet',
    '/var/log',
    dataDir ?? '/var/lib/containerd',
    etcdOn(cluster, host)?.dataDir ?? '/',
  ];
  return [...new Set(folders.flatMap((folder) => mountAt(facts.mounts, folder) ?? []))];
}

/** The file system of a folder: the mount with the longest matching path. */
const mountAt = (mounts: readonly Mount[], folder: string): Mount | undefined =>
  mounts
    .filter(({ path }) => path === '/' || folder === path || folder.startsWith(`${path}/`))
    .toSorted((one, other) => other.path.length - one.path.length)[0];
