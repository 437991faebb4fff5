import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findAptMirror } from '../../image/apt-mirror.ts';
import { SUITE } from '../../image/recipe.ts';
import { withMachineLock } from '../../../util/process-lock.ts';
import { ensurePrograms, requireRoot } from '../../prerequisites.ts';
import { run } from '../../run.ts';
import type { BuildContext } from '../build-context.ts';

/** The paths of the Debian packages for images and runc, with their dependencies, by package name. */
export async function ensureArchives(context: BuildContext): Promise<ReadonlyMap<string, string>> {
  const folder = join(context.paths.build, 'debian', SUITE);
  // Components are built side by side: the first one that needs packages downloads them for all.
  return withMachineLock('lab-debian-archives', async () => {
    const present = await archivesIn(folder);
    if (REQUIRED.every((name) => present.has(name))) return present;
    await fetchArchives(folder, context);
    return archivesIn(folder);
  });
}

async function archivesIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.deb'));
  return new Map(names.map((name) => [name.split('_')[0] ?? '', join(folder, name)]));
}

/** Downloads the packages with debootstrap, which verifies their signatures. */
async function fetchArchives(folder: string, { report, signal }: BuildContext): Promise<void> {
  requireRoot();
  await ensurePrograms(PROGRAMS, ({ detail }) => report(detail ?? ''), signal);
  const { debian } = await findAptMirror();
  const tree = `${folder}.partial`;
  await rm(tree, { recursive: true, force: true });
  await mkdir(dirname(folder), { recursive: true });
  const fetch = ['debootstrap', '--variant=minbase', '--download-only', `--include=${REQUIRED.join(',')}`];
  const onLine = (line: string) => report(line.replace(/^[IW]: /, '').toLowerCase());
  await run([...fetch, SUITE, tree, debian], { onLine, ...(signal && { signal }) });
  await rm(folder, { recursive: true, force: true });
  await rename(join(tree, 'var/cache/apt/archives'), folder);
  await rm(tree, { recursive: true, force: true });
}

const PROGRAMS = {
  debootstrap: 'debootstrap',
  'dpkg-deb': 'dpkg',
  '/usr/share/keyrings/debian-archive-keyring.gpg': 'debian-archive-keyring',
};

/** The packages for images that need a shell or iptables. */
export const USERLAND = ['dash', 'coreutils', 'grep', 'sed', 'iptables', 'nftables', 'conntrack', 'ipset', 'kmod'];

/** The packages for programs that the Kubernetes e2e tests run in pods. */
export const TOOLS = [
  'bash',
  'bind9-dnsutils',
  'busybox',
  'curl',
  'hostname',
  'iproute2',
  'libc-bin',
  'netcat-openbsd',
];

const REQUIRED = [...USERLAND, ...TOOLS, 'runc', 'haproxy', 'nginx', 'libnginx-mod-stream', 'runit', 'debianutils'];
