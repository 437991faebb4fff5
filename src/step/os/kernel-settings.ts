import type { Cluster } from '../../config/model/cluster.ts';
import type { Facts } from '../../runner/facts.ts';
import { sysctl } from '../common/sysctl.ts';
import { forwardingSettings } from '../host-requirements/kernel-settings.ts';
import { defineStep } from '../contract/step.ts';

/** What Kubernetes and its networks want of the kernel (OS9). */
export const kernelSettings = (cluster: Cluster) =>
  defineStep({
    name: 'os.sysctl',
    summary: 'Set what Kubernetes wants of the kernel',
    reversible: true,
    parts: ({ facts }) => [
      // The last one wins at boot, and 99-sysctl.conf is /etc/sysctl.conf: ours has to come after it.
      sysctl({ path: '/etc/sysctl.d/99-zz-kubexm.conf', ...settingsFor(cluster, facts), whereKnown: true }),
    ],
  });

function settingsFor(cluster: Cluster, { virtualization }: Facts) {
  const values = { ...forwardingSettings(cluster), ...KUBELET };
  // A container has a network of its own; the rest of the kernel belongs to the machine underneath.
  const own = <Value>(settings: Readonly<Record<string, Value>>) =>
    virtualization.type === 'container'
      ? Object.fromEntries(Object.entries(settings).filter(([key]) => key.startsWith('net.')))
      : settings;
  return { values: own<string | number>(values), atLeast: own<number>(LIMITS) };
}

// What kubelet sets itself, or refuses to start without when it may not.
const KUBELET = {
  'vm.overcommit_memory': 1,
  'vm.panic_on_oom': 0,
  'kernel.panic': 10,
  'kernel.panic_on_oops': 1,
  'kernel.keys.root_maxkeys': 1_000_000,
  'kernel.keys.root_maxbytes': 25_000_000,
  // CentOS 7: else a mount that another namespace holds keeps pods from going.
  'fs.may_detach_mounts': 1,
} as const;

const LIMITS = {
  'fs.file-max': 1_048_576,
  'fs.inotify.max_user_instances': 8192,
  'fs.inotify.max_user_watches': 524_288,
  'vm.max_map_count': 262_144,
  'kernel.pid_max': 65_536,
  'net.core.somaxconn': 32_768,
  'net.ipv4.tcp_max_syn_backlog': 8192,
  'net.ipv4.neigh.default.gc_thresh1': 1024,
  'net.ipv4.neigh.default.gc_thresh2': 8192,
  'net.ipv4.neigh.default.gc_thresh3': 16_384,
} as const;
