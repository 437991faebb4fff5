import type { Facts } from '../facts.ts';
import { rowsOf } from './sections.ts';

/** Which cgroups a host has, by what is mounted below /sys/fs/cgroup. */
export function cgroupOf(mounts: string): Facts['cgroup'] {
  const at = rowsOf(mounts).filter(([, path = '']) => path === '/sys/fs/cgroup' || path.startsWith('/sys/fs/cgroup/'));
  if (at.some(([, path, type]) => path === '/sys/fs/cgroup' && type === 'cgroup2')) return 'v2';
  return at.some(([, , type]) => type === 'cgroup2') ? 'hybrid' : 'v1';
}

/** Reads the one word of systemd-detect-virt. */
export function virtualizationIn(word: string): Facts['virtualization'] {
  const name = word.split('\n').findLast((line) => line !== 'none' && line !== '') ?? 'none';
  if (name === 'none') return { type: 'none', name };
  return { type: CONTAINERS.has(name) ? 'container' : 'vm', name };
}

/** The newest of the package managers that are there. */
export function packageManagerIn(programs: string): Facts['packageManager'] {
  const has = (program: string) => new RegExp(`/${program}$`, 'm').test(programs);
  if (has('apt-get')) return 'apt';
  if (has('dnf')) return 'dnf';
  return has('yum') ? 'yum' : undefined;
}

const CONTAINERS: ReadonlySet<string> = new Set([
  'container-other',
  'docker',
  'lxc',
  'lxc-libvirt',
  'openvz',
  'podman',
  'proot',
  'pouch',
  'rkt',
  'systemd-nspawn',
  'wsl',
]);
