import { posix } from 'node:path';

/** A path without empty and "." segments and without a trailing slash. */
export const normalizeDirectory = (path: string): string => posix.normalize(path).replace(/(.)\/$/, '$1');

/**
 * Why a directory cannot hold the data of a component; undefined if it can. Data directories are given to the user of
 * the component, closed to others and emptied when the cluster is deleted.
 */
export function directoryProblem(path: string): string | undefined {
  if (!path.startsWith('/')) return 'must be an absolute path';
  // Written to unit files, where a line break would start another setting.
  if (/\p{Cc}/u.test(path)) return 'must not contain line breaks or other control characters';
  if (path.split('/').includes('..')) return 'must not contain ".."';
  const directory = normalizeDirectory(path);
  if (SHARED.has(directory)) return `must not be ${directory}, which other programs use; use a directory below it`;
  const owner = SYSTEM.find((each) => directory === each || directory.startsWith(`${each}/`));
  return owner === undefined ? undefined : `must not be in ${owner}, which belongs to the system`;
}

/** Directories with subdirectories of many programs, and the usual mount points. */
const SHARED: ReadonlySet<string> = new Set([
  '/',
  '/home',
  '/media',
  '/mnt',
  '/opt',
  '/srv',
  '/var',
  '/var/backups',
  '/var/cache',
  '/var/lib',
  '/var/local',
  '/var/log',
  '/var/mail',
  '/var/opt',
  '/var/spool',
]);

/** Directories of the operating system, the kernel and kubexm; nothing below them may be used. */
const SYSTEM = [
  '/bin',
  '/boot',
  '/dev',
  '/etc',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/lost+found',
  '/proc',
  '/root',
  '/run',
  '/sbin',
  '/sys',
  '/tmp',
  '/usr',
  '/var/lib/apt',
  '/var/lib/dpkg',
  '/var/lib/kubelet',
  '/var/lib/kubexm',
  '/var/lib/rpm',
  '/var/lib/systemd',
  '/var/run',
  '/var/tmp',
];
