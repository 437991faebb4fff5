import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fail } from '../common/errors/errors.ts';
import type { ReportProgress } from '../common/progress.ts';
import { run, tryRun } from './run.ts';

/** Installs from Debian's packages what a lab needs and this computer lacks. */
export async function ensurePrerequisites(report: ReportProgress, signal?: AbortSignal): Promise<void> {
  requireRoot();
  await install(await missingPackages(), report, signal);
}

/** Installs the packages of programs that this computer lacks. */
export async function ensurePrograms(programs: Programs, report: ReportProgress, signal?: AbortSignal): Promise<void> {
  await install(await packagesOfMissing(programs), report, signal);
}

async function install(packages: readonly string[], report: ReportProgress, signal?: AbortSignal): Promise<void> {
  if (packages.length === 0) return;
  if (!(await findProgram('apt-get'))) throw fail('LAB_NEEDS_DEBIAN', { packages: packages.join(' ') });
  const task = 'Installing what a lab needs';
  report({ task, detail: packages.join(' ') });
  const options = {
    env: { DEBIAN_FRONTEND: 'noninteractive' },
    onLine: (detail: string) => report({ task, detail }),
    ...(signal && { signal }),
  };
  const argv = ['install', '--no-install-recommends', ...packages];
  // Lists that are old still work most of the time, and asking for new ones fails where one foreign source is down.
  if ((await tryRun([...APT, '--simulate', ...argv], options)).exit === 0) {
    if ((await tryRun([...APT, ...argv], options)).exit === 0) return;
  }
  await tryRun([...APT, 'update'], options);
  await run([...APT, ...argv], options);
}

/** Debian's packages by the program that each is wanted for; what begins with a slash is a file. */
type Programs = Readonly<Record<string, string>>;

/** Labs need namespaces, loop devices and routes, so only root can have one. */
export function requireRoot(): void {
  if (process.getuid?.() !== 0) throw fail('LAB_NEEDS_ROOT', {});
}

/** Where a program is, looked for as a shell does and in the folders of root. */
export async function findProgram(name: string): Promise<string | undefined> {
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    '/usr/sbin',
    '/sbin',
    '/usr/libexec/podman',
    '/usr/lib/podman',
  ];
  for (const path of folders.map((folder) => join(folder, name))) if (await isThere(path, constants.X_OK)) return path;
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

/** Packages that this computer lacks. */
export const missingPackages = (): Promise<readonly string[]> => packagesOfMissing(PROGRAMS);

async function packagesOfMissing(programs: Programs): Promise<readonly string[]> {
  const isMissing = async (name: string) =>
    !(name.startsWith('/') ? await isThere(name, constants.R_OK) : await findProgram(name));
  const missing = await Promise.all(
    Object.entries(programs).map(async ([name, of]) => ((await isMissing(name)) ? [of] : [])),
  );
  return [...new Set(missing.flat())];
}

const isThere = (path: string, mode: number) =>
  access(path, mode).then(
    () => true,
    () => false,
  );
