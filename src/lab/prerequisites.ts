import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fail } from '../common/errors/errors.ts';
import type { ReportProgress } from '../common/progress.ts';
import { withMachineLock } from '../util/process-lock.ts';
import { run, tryRun } from './run.ts';

/** Installs the missing Debian packages that a lab needs. */
export async function ensurePrerequisites(report: ReportProgress, signal?: AbortSignal): Promise<void> {
  requireRoot();
  await installMissing(PROGRAMS, report, signal);
}

/** Installs the Debian packages of missing programs. */
export async function ensurePrograms(programs: Programs, report: ReportProgress, signal?: AbortSignal): Promise<void> {
  await installMissing(programs, report, signal);
}

async function installMissing(programs: Programs, report: ReportProgress, signal?: AbortSignal): Promise<void> {
  if ((await packagesOfMissing(programs)).length === 0) return;
  // apt-get waits for the dpkg lock, but fails while another process updates the package lists.
  const onWait = (holder: string) => report({ task: `Waiting for ${holder}, which installs packages` });
  await withMachineLock('lab-packages', async () => install(await packagesOfMissing(programs), report, signal), {
    onWait,
    signal,
  });
}

async function install(packages: readonly string[], report: ReportProgress, signal?: AbortSignal): Promise<void> {
  if (packages.length === 0) return;
  if (!(await findProgram('apt-get'))) throw fail('LAB_NEEDS_DEBIAN', { packages: packages.join(' ') });
  const task = 'Installing packages for the lab';
  report({ task, detail: packages.join(' ') });
  const options = {
    env: { DEBIAN_FRONTEND: 'noninteractive' },
    onLine: (detail: string) => report({ task, detail }),
    ...(signal && { signal }),
  };
  const argv = ['install', '--no-install-recommends', ...packages];
  // Old package lists usually still work, while `apt-get update` fails if any third-party repository is down.
  if ((await tryRun([...APT, '--simulate', ...argv], options)).exit === 0) {
    if ((await tryRun([...APT, ...argv], options)).exit === 0) return;
  }
  await tryRun([...APT, 'update'], options);
  await run([...APT, ...argv], options);
}

/** Debian package names by the program each provides; a key that starts with a slash is a file. */
type Programs = Readonly<Record<string, string>>;

/** Fails unless run as root: labs need namespaces, loop devices and routes. */
export function requireRoot(): void {
  if (process.getuid?.() !== 0) throw fail('LAB_NEEDS_ROOT', {});
}

/** Finds a program in PATH and in the system directories that PATH may lack. */
export async function findProgram(name: string): Promise<string | undefined> {
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    '/usr/sbin',
    '/sbin',
    '/usr/libexec/podman',
    '/usr/lib/podman',
  ];
  for (const path of folders.map((folder) => join(folder, name))) {
    if (await isAccessible(path, constants.X_OK)) return path;
  }
  return undefined;
}

const APT = ['apt-get', '--yes', '--quiet', '-o', 'DPkg::Lock::Timeout=300'];

const PROGRAMS: Programs = {
  podman: 'podman',
  runc: 'runc',
  conmon: 'conmon',
  netavark: 'netavark',
  'aardvark-dns': 'aardvark-dns',
  debootstrap: 'debootstrap',
  iptables: 'iptables',
  skopeo: 'skopeo',
  ssh: 'openssh-client',
  ip: 'iproute2',
  losetup: 'mount',
  '/usr/share/keyrings/debian-archive-keyring.gpg': 'debian-archive-keyring',
};

/** The Debian packages that a lab needs and this computer lacks. */
export const missingPackages = (): Promise<readonly string[]> => packagesOfMissing(PROGRAMS);

async function packagesOfMissing(programs: Programs): Promise<readonly string[]> {
  const isMissing = async (name: string) =>
    !(name.startsWith('/') ? await isAccessible(name, constants.R_OK) : await findProgram(name));
  const missing = await Promise.all(
    Object.entries(programs).map(async ([name, debianPackage]) => ((await isMissing(name)) ? [debianPackage] : [])),
  );
  return [...new Set(missing.flat())];
}

const isAccessible = (path: string, mode: number) =>
  access(path, mode).then(
    () => true,
    () => false,
  );
