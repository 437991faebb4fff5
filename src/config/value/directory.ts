import { posix } from 'node:path';

/** Removes empty segments, "." segments and the trailing slash from a path. */
export const normalizeDirectory = (path: string): string => posix.normalize(path).replace(/(.)\/$/, '$1');

/**
 * Explains why a directory cannot be a data directory, or returns undefined if it can. Only the user of the component
 * can access a data directory, and its contents are deleted with the cluster.
 */
export function directoryProblem(path: string): string | undefined {
  if (!path.startsWith('/')) return 'must be an absolute path';
  // The path is written to unit files, where a line break would start a new setting.
  if (/\p{Cc}/u.test(path)) return 'must not contain line breaks or other control characters';
  if (path.split('/').includes('..')) return 'must not contain ".."';
  const directory = normalizeDirectory(path);
  if (SHARED.has(directory)) return `must not be ${directory}, which other programs use; use a subdirectory`;
  const owner = SYSTEM.find((each) => directory === each || directory.startsWith(`${each}/`));
  return owner === undefined ? undefined : `must not be in ${owner}, which is a system directory`;
}

/** Directories that many programs share, and the usual mount points. */
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

/** System directories; data directories must not be inside them. */
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
