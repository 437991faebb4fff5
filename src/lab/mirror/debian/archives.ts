import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findMirror } from '../../image/apt-mirror.ts';
import { SUITE } from '../../image/recipe.ts';
import { ensurePrograms, requireRoot } from '../../prerequisites.ts';
import { run } from '../../run.ts';
import type { Making } from '../making.ts';

/** Debian's packages for images and runc, by name, with all they depend on; fetched and verified by debootstrap. */
export async function ensureArchives(making: Making): Promise<ReadonlyMap<string, string>> {
  const folder = join(making.paths.build, 'debian', SUITE);
  const there = await archivesIn(folder);
  if (WANTED.every((name) => there.has(name))) return there;
  await fetchArchives(folder, making);
  return archivesIn(folder);
}

async function archivesIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.deb'));
  return new Map(names.map((name) => [name.split('_')[0] ?? '', join(folder, name)]));
}

async function fetchArchives(folder: string, { say, signal }: Making): Promise<void> {
  requireRoot();
  await ensurePrograms(NEEDED, ({ detail }) => say(detail ?? ''), signal);
  const { debian } = await findMirror();
  const tree = `${folder}.partial`;
  await rm(tree, { recursive: true, force: true });
  await mkdir(dirname(folder), { recursive: true });
  const fetch = ['debootstrap', '--variant=minbase', '--download-only', `--include=${WANTED.join(',')}`];
  const onLine = (line: string) => say(line.replace(/^[IW]: /, '').toLowerCase());
  await run([...fetch, SUITE, tree, debian], { onLine, ...(signal && { signal }) });
  await rm(folder, { recursive: true, force: true });
  await rename(join(tree, 'var/cache/apt/archives'), folder);
  await rm(tree, { recursive: true, force: true });
}

const NEEDED = {
  debootstrap: 'debootstrap',
  'dpkg-deb': 'dpkg',
  '/usr/share/keyrings/debian-archive-keyring.gpg': 'debian-archive-keyring',
};

/** What images need that call iptables or are configured by a shell. */
export const USERLAND = ['dash', 'coreutils', 'grep', 'sed', 'iptables', 'nftables', 'conntrack', 'ipset', 'kmod'];

/** What tests of Kubernetes call in a pod. */
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

const WANTED = [...USERLAND, ...TOOLS, 'runc', 'haproxy', 'nginx', 'libnginx-mod-stream'];
