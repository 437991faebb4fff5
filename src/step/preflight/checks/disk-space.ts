import { isNode } from '../../../common/host.ts';
import type { Cluster, ClusterHost } from '../../../config/model/cluster.ts';
import type { Facts, Mount } from '../../../runner/facts.ts';
import { runtimeDataDir } from '../../../config/model/container-runtimes.ts';
import { etcdOn } from '../../../config/model/ports.ts';
import { belongsToCluster, defineCheck, hasRole, type FindingDetails } from '../check.ts';
import { gib } from '../fixes.ts';

export const diskSpace = defineCheck({
  id: 'PF14',
  title: 'Disk space and inodes',
  about:
    'Every file system has enough space and inodes for the directories of the cluster, is writable, and is not mounted noexec where programs are installed. An XFS file system with images has ftype=1.',
  severities: ['error', 'warning'],
  each: (report, input) => {
    const needs = new Map<Mount, NeededSpace[]>();
    for (const space of spaceFor(input.cluster, report.host)) {
      const mount = mountOf(report.facts, space.path);
      if (mount) needs.set(mount, [...(needs.get(mount) ?? []), space]);
    }
    return [
      ...[...needs].flatMap(([mount, spaces]) => checkMount(mount, spaces, belongsToCluster(report, input))),
      ...(report.probe.xfsWithoutFtype ? [withoutFtype(runtimeDataDir(input.cluster))] : []),
    ];
  },
});

const withoutFtype = (folder: string): FindingDetails => ({
  severity: 'error',
  found: `${folder} is on an XFS file system with ftype=0`,
  wanted: 'ftype=1: overlayfs requires it',
  fix: `Use another disk: mkfs.xfs -n ftype=1 /dev/DISK && mount /dev/DISK ${folder}`,
});

/** The file system of a path. */
const mountOf = ({ mounts }: Facts, path: string): Mount | undefined =>
  mounts
    .filter((mount) => mount.path === '/' || path === mount.path || path.startsWith(`${mount.path}/`))
    .toSorted((one, other) => other.path.length - one.path.length)[0];

const checkMount = (mount: Mount, spaces: readonly NeededSpace[], inUse: boolean): readonly FindingDetails[] => {
  const paths = spaces.map(({ path }) => path).join(', ');
  return [
    ...checkOptions(mount, spaces, paths),
    ...checkSpace(mount, spaces, paths, inUse),
    ...checkInodes(mount, paths),
  ];
};

function checkOptions(
  { path, options }: Mount,
  spaces: readonly NeededSpace[],
  paths: string,
): readonly FindingDetails[] {
  const programs = spaces.filter(({ executable }) => executable).map((space) => space.path);
  return [
    ...(options.includes('ro')
      ? [
          {
            severity: 'error' as const,
            found: `${path} is mounted read-only`,
            wanted: `writable, for ${paths}`,
            fix: `mount -o remount,rw ${path}`,
          },
        ]
      : []),
    ...(options.includes('noexec') && programs.length > 0
      ? [
          {
            severity: 'error' as const,
            found: `${path} is mounted noexec`,
            wanted: `exec: kubexm installs programs in ${programs.join(', ')}`,
            fix: `Run mount -o remount,exec ${path} and remove noexec from /etc/fstab`,
          },
        ]
      : []),
  ];
}

function checkSpace(
  { path, freeBytes, sizeBytes }: Mount,
  spaces: readonly NeededSpace[],
  paths: string,
  inUse: boolean,
): readonly FindingDetails[] {
  const needed = spaces.reduce((sum, { bytes }) => sum + bytes, 0);
  const fix = `du -xh --max-depth=2 ${path} | sort -h | tail`;
  // An existing cluster has already filled its directories.
  if (freeBytes < needed && !inUse) {
    const found = `${gib(freeBytes)} free on ${path}`;
    return [{ severity: 'error', found, wanted: `${gib(needed)} free for ${paths}`, fix }];
  }
  if (sizeBytes === 0 || freeBytes / sizeBytes >= 0.1) return [];
  const found = `${path} is ${Math.round((1 - freeBytes / sizeBytes) * 100)}% full`;
  return [{ severity: 'warning', found, wanted: 'less than 90%: above that, kubelets evict Pods', fix }];
}

function checkInodes({ path, inodes, freeInodes }: Mount, paths: string): readonly FindingDetails[] {
  if (inodes === 0 || freeInodes >= 100_000 || freeInodes / inodes >= 0.1) return [];
  return [
    {
      severity: 'error',
      found: `${freeInodes} of ${inodes} inodes free on ${path}`,
      wanted: `at least 10% free for ${paths}`,
      fix: `df -i ${path}; du -x --inodes --max-depth=2 ${path} | sort -n | tail`,
    },
  ];
}

/** A directory that the cluster uses, and the space it needs. */
interface NeededSpace {
  readonly path: string;
  readonly bytes: number;
  /** Programs are started from there. */
  readonly executable?: boolean;
}

const GIB = 2 ** 30;

/** The space that a host needs for its roles. */
function spaceFor(cluster: Cluster, host: ClusterHost): readonly NeededSpace[] {
  const { registry } = cluster;
  const etcd = etcdOn(cluster, host);
  return [
    { path: '/var/lib/kubexm', bytes: GIB },
    { path: '/etc', bytes: 0.05 * GIB },
    ...(isNode(host)
      ? [
          { path: runtimeDataDir(cluster), bytes: 10 * GIB },
          { path: '/var/lib/kubelet', bytes: 5 * GIB, executable: true },
          { path: '/usr/local/bin', bytes: GIB, executable: true },
          { path: '/opt/cni/bin', bytes: 0.2 * GIB, executable: true },
          { path: '/var/log', bytes: GIB },
        ]
      : []),
    ...(etcd ? [{ path: etcd.dataDir, bytes: etcd.quotaBackendBytes * 2 }] : []),
    ...(hasRole(host, 'registry') && (registry.type === 'registry' || registry.type === 'harbor')
      ? [{ path: registry.dataDir, bytes: 20 * GIB }]
      : []),
  ];
}
