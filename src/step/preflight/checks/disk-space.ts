import type { Facts, Mount } from '../../../runner/facts.ts';
import { defineCheck, belongsToCluster, type HostFinding } from '../check.ts';
import { runtimeDataDir } from '../../../config/model/container-runtimes.ts';
import { spaceFor, type NeededSpace } from '../directories.ts';
import { gib } from '../fixes.ts';

export const disk = defineCheck({
  id: 'PF14',
  title: 'Disk space and inodes',
  about:
    'Every file system has room and inodes for the directories of the cluster that lie on it, can be written, and lets programs start where they are kept; an XFS with images has ftype=1.',
  severities: ['error', 'warning'],
  each: (report, scene) => {
    const needs = new Map<Mount, NeededSpace[]>();
    for (const room of spaceFor(scene.cluster, report.host)) {
      const mount = mountOf(report.facts, room.path);
      if (mount) needs.set(mount, [...(needs.get(mount) ?? []), room]);
    }
    return [
      ...[...needs].flatMap(([mount, rooms]) => judgeMount(mount, rooms, belongsToCluster(report, scene))),
      ...(report.probe.xfsWithoutTypes ? [withoutTypes(runtimeDataDir(scene.cluster))] : []),
    ];
  },
});

const withoutTypes = (folder: string): Omit<HostFinding, 'host'> => ({
  severity: 'error',
  found: `${folder} is on an XFS with ftype=0`,
  wanted: 'ftype=1: layers of images cannot be mounted without',
  fix: `On another disk: mkfs.xfs -n ftype=1 /dev/DISK && mount /dev/DISK ${folder}`,
});

/** The file system that a path is on. */
const mountOf = ({ mounts }: Facts, path: string): Mount | undefined =>
  mounts
    .filter((mount) => mount.path === '/' || path === mount.path || path.startsWith(`${mount.path}/`))
    .toSorted((one, other) => other.path.length - one.path.length)[0];

function judgeMount(mount: Mount, rooms: readonly NeededSpace[], ours: boolean): readonly Omit<HostFinding, 'host'>[] {
  const paths = rooms.map(({ path }) => path).join(', ');
  const needed = rooms.reduce((sum, { bytes }) => sum + bytes, 0);
  const runs = rooms.filter((room) => room.runs).map(({ path }) => path);
  const lookFor = `du -xh --max-depth=2 ${mount.path} | sort -h | tail`;
  const full = mount.sizeBytes > 0 && mount.freeBytes / mount.sizeBytes < 0.1;
  return [
    ...(mount.options.includes('ro')
      ? [
          {
            severity: 'error' as const,
            found: `${mount.path} is mounted read-only`,
            wanted: `it can be written: ${paths}`,
            fix: `mount -o remount,rw ${mount.path}`,
          },
        ]
      : []),
    ...(mount.options.includes('noexec') && runs.length > 0
      ? [
          {
            severity: 'error' as const,
            found: `${mount.path} is mounted noexec`,
            wanted: `programs start from ${runs.join(', ')}`,
            fix: `mount -o remount,exec ${mount.path}; then take noexec out of /etc/fstab`,
          },
        ]
      : []),
    // A cluster that is there has filled its directories already.
    ...(mount.freeBytes < needed && !ours
      ? [
          {
            severity: 'error' as const,
            found: `${gib(mount.freeBytes)} free on ${mount.path}`,
            wanted: `${gib(needed)} for ${paths}`,
            fix: lookFor,
          },
        ]
      : full
        ? [
            {
              severity: 'warning' as const,
              found: `${mount.path} is ${Math.round((1 - mount.freeBytes / mount.sizeBytes) * 100)}% full`,
              wanted: 'less than 90%: kubelets throw pods out there',
              fix: lookFor,
            },
          ]
        : []),
    ...(mount.inodes > 0 && mount.freeInodes < 100_000 && mount.freeInodes / mount.inodes < 0.1
      ? [
          {
            severity: 'error' as const,
            found: `${mount.freeInodes} of ${mount.inodes} inodes free on ${mount.path}`,
            wanted: `at least 10% for ${paths}`,
            fix: `df -i ${mount.path}; du -x --inodes --max-depth=2 ${mount.path} | sort -n | tail`,
          },
        ]
      : []),
  ];
}
