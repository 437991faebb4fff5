import type { Cluster } from '../../config/model/cluster.ts';
import type { Facts } from '../../runner/facts.ts';
import { sysctl } from '../common/sysctl.ts';
import { forwardingSettings } from '../host-requirements/kernel-settings.ts';
import { defineStep } from '../contract/step.ts';

/** Sets the kernel parameters that Kubernetes and pod networks need. */
export const kernelSettings = (cluster: Cluster) =>
  defineStep({
    name: 'os.sysctl',
    summary: 'Set kernel parameters',
    reversible: true,
    parts: ({ facts }) => [
      // The last file wins at boot, and 99-sysctl.conf is /etc/sysctl.conf, so this one must sort after it.
      sysctl({ path: '/etc/sysctl.d/99-zz-kubexm.conf', ...settingsFor(cluster, facts), skipUnknown: true }),
    ],
  });

function settingsFor(cluster: Cluster, { virtualization }: Facts) {
  const values = { ...forwardingSettings(cluster), ...KUBELET };
  // A container has its own network namespace; other parameters belong to its host.
  const own = <Value>(settings: Readonly<Record<string, Value>>) =>
    virtualization.type === 'container'
      ? Object.fromEntries(Object.entries(settings).filter(([key]) => key.startsWith('net.')))
      : settings;
  return { values: own<string | number>(values), atLeast: own<number>(LIMITS) };
}

// With protectKernelDefaults, the kubelet refuses to start unless these are set; otherwise it sets them itself.
const KUBELET = {
  'vm.overcommit_memory': 1,
  'vm.panic_on_oom': 0,
  'kernel.panic': 10,
  'kernel.panic_on_oops': 1,
  'kernel.keys.root_maxkeys': 1_000_000,
  'kernel.keys.root_maxbytes': 25_000_000,
  // CentOS 7: without it, mounts held by other namespaces block the removal of pods.
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
