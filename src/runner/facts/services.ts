import type { Facts } from '../facts.ts';

/** Time synchronization services other than chrony. */
export const OTHER_TIME_SERVICES = ['systemd-timesyncd', 'ntpd', 'ntp', 'ntpsec', 'openntpd'] as const;

/** Services that are relevant to a cluster: its components and services that may conflict with them. */
export const SERVICES = [
  'containerd',
  'crio',
  'docker',
  'cri-docker',
  'isulad',
  'kubelet',
  'kube-apiserver',
  'etcd',
  'haproxy',
  'nginx',
  'keepalived',
  'registry',
  'firewalld',
  'ufw',
  'iptables',
  'nftables',
  'apparmor',
  'chronyd',
  'chrony',
  ...OTHER_TIME_SERVICES,
  'systemd-resolved',
  'NetworkManager',
  'unattended-upgrades',
  'multipathd',
  'iscsid',
  'nfs-server',
] as const;

/** Parses `systemctl show -p Id -p LoadState -p ActiveState`. */
export function servicesIn(text: string): Facts['services'] {
  const blocks = text.split('\n\n').map((block) => {
    const value = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(block)?.[1] ?? '';
    return { id: value('Id').replace(/\.service$/, ''), load: value('LoadState'), active: value('ActiveState') };
  });
  // systemd reports an alias under the ID of its target, so the alias itself is not listed.
  const states = blocks
    .filter(({ id }) => id !== '')
    .map(({ id, load, active }) => [id, stateOf(load, active)] as const);
  return Object.fromEntries([...SERVICES.map((name) => [name, 'absent'] as const), ...states]);
}

function stateOf(load: string, active: string): Facts['services'][string] {
  if (load === 'not-found' || load === 'masked') return 'absent';
  return active === 'active' || active === 'reloading' ? 'active' : 'inactive';
}
