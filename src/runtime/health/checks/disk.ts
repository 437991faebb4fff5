import { etcdOn } from '../../../config/model/ports.ts';
import type { Mount } from '../../../runner/facts.ts';
import { on, seenHosts, type HealthCheck, type HealthFinding, type HealthScene } from '../check.ts';
import type { HostSeen } from '../../probe/probe-host.ts';

export const disk: HealthCheck = {
  name: 'disk',
  condition: 'DisksHaveRoom',
  judge: (scene) => {
    const seen = seenHosts(scene);
    if (seen.length === 0) return { type: 'unknown', found: 'no host was reached' };
    const rooms = seen.flatMap((look) => mountsOf(scene, look).map((mount) => ({ host: look.host.name, mount })));
    const least = Math.min(...rooms.map(({ mount }) => freeShare(mount)), 1);
    return {
      type: 'judged',
      found: `at least ${Math.floor(least * 100)} % is free where the cluster writes`,
      findings: rooms.flatMap(({ host, mount }) => findingOf(scene, host, mount)),
    };
  },
};

function findingOf(scene: HealthScene, host: string, mount: Mount): readonly HealthFinding[] {
  const free = freeShare(mount);
  if (free >= WARN) return [];
  const of = mount.freeBytes / mount.sizeBytes > free ? 'inodes' : 'space';
  return [
    {
      host,
      severity: free < FAIL ? 'failed' : 'warning',
      found: `${mount.path} has ${Math.floor(free * 100)} % of its ${of} free`,
      next: on(scene, host, `du -xh -d 2 ${mount.path} 2>/dev/null | sort -h | tail; crictl rmi --prune`),
    },
  ];
}

/** Kubelets throw images away below 15 % and pods below 10 %. */
const WARN = 0.15;
const FAIL = 0.05;

const freeShare = ({ sizeBytes, freeBytes, inodes, freeInodes }: Mount) =>
  Math.min(freeBytes / sizeBytes, inodes > 0 ? freeInodes / inodes : 1);

/** The file systems of the folders that grow. */
function mountsOf({ cluster }: HealthScene, { host, facts }: HostSeen): readonly Mount[] {
  const { dataDir } = cluster.kubernetes.containerRuntime;
  const folders = [
    '/var/lib/kubelet',
    '/var/log',
    dataDir ?? '/var/lib/containerd',
    etcdOn(cluster, host)?.dataDir ?? '/',
  ];
  return [...new Set(folders.flatMap((folder) => mountAt(facts.mounts, folder) ?? []))];
}

/** The one that a folder is on: the longest path that leads to it. */
const mountAt = (mounts: readonly Mount[], folder: string): Mount | undefined =>
  mounts
    .filter(({ path }) => path === '/' || folder === path || folder.startsWith(`${path}/`))
    .toSorted((one, other) => other.path.length - one.path.length)[0];
