import type { Facts } from '../facts.ts';
import { rowsOf } from './sections.ts';

/** Returns the cgroup version, based on the mounts below /sys/fs/cgroup. */
export function cgroupOf(mounts: string): Facts['cgroup'] {
  const cgroupMounts = rowsOf(mounts).filter(
    ([, path = '']) => path === '/sys/fs/cgroup' || path.startsWith('/sys/fs/cgroup/'),
  );
  if (cgroupMounts.some(([, path, type]) => path === '/sys/fs/cgroup' && type === 'cgroup2')) return 'v2';
  return cgroupMounts.some(([, , type]) => type === 'cgroup2') ? 'hybrid' : 'v1';
}

/** Parses the output of systemd-detect-virt. */
export function virtualizationIn(word: string): Facts['virtualization'] {
  const name = word.split('\n').findLast((line) => line !== 'none' && line !== '') ?? 'none';
  if (name === 'none') return { type: 'none', name };
  return { type: CONTAINERS.has(name) ? 'container' : 'vm', name };
}

/** Returns the newest installed package manager. */
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
