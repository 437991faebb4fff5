import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fail } from '../common/errors.ts';
import type { ReportProgress } from '../common/progress.ts';
import { run, tryRun } from './run.ts';

/** Installs from Debian's packages what a lab needs and this computer lacks. */
export async function ensurePrerequisites(report: ReportProgress, signal?: AbortSignal): Promise<void> {
  requireRoot();
  const packages = await missingPackages();
  if (packages.length === 0) return;
  if (!(await findProgram('apt-get'))) throw fail('LAB_NEEDS_DEBIAN', { packages: packages.join(' ') });
  const task = 'Installing what a lab needs';
  report({ task, detail: packages.join(' ') });
  const options = {
    env: { DEBIAN_FRONTEND: 'noninteractive' },
    onLine: (detail: string) => report({ task, detail }),
    ...(signal && { signal }),
  };
  const install = [...APT, 'install', '--no-install-recommends', ...packages];
  // Lists that are old still work most of the time, and asking for new ones fails where one foreign source is down.
  if ((await tryRun([...APT, '--simulate', ...install.slice(APT.length)], options)).exit === 0) {
    if ((await tryRun(install, options)).exit === 0) return;
  }
  await tryRun([...APT, 'update'], options);
  await run(install, options);
}

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

const PROGRAMS: Readonly<Record<string, string>> = {
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
};
const FILES: Readonly<Record<string, string>> = {
  '/usr/share/keyrings/debian-archive-keyring.gpg': 'debian-archive-keyring',
};

/** Packages that this computer lacks. */
export async function missingPackages(): Promise<readonly string[]> {
  const programs = Object.entries(PROGRAMS).map(async ([name, of]) => ((await findProgram(name)) ? [] : [of]));
  const files = Object.entries(FILES).map(async ([path, of]) => ((await isThere(path, constants.R_OK)) ? [] : [of]));
  return [...new Set((await Promise.all([...programs, ...files])).flat())];
}

const isThere = (path: string, mode: number) =>
  access(path, mode).then(
    () => true,
    () => false,
  );
