import { stringify } from 'yaml';
import type { Key } from './machine/ssh-keys.ts';
import type { Machine } from './machine/machine.ts';
import type { LabOptions } from './options.ts';

/** A machine and its public host key: "ssh-ed25519 AAAA…". */
export interface PinnedMachine {
  readonly machine: Machine;
  readonly hostKey: string;
}

/** The content of the cluster file for a lab. */
export function clusterFile(options: LabOptions, machines: readonly PinnedMachine[], keys: readonly Key[]): string {
  const jump = machines.find(({ machine }) => machine.name === 'jump');
  const nodes = machines.filter((pinned) => pinned !== jump);
  const roleGroups = rolesOf(nodes.map(({ machine }) => machine.name));
  const cluster = {
    apiVersion: 'kubexm.mensylisir.io/v1alpha1',
    kind: 'Cluster',
    metadata: { name: options.name },
    spec: {
      hosts: nodes.map((node, index) => hostOf(options, node, keys[index % keys.length], jump)),
      roleGroups,
      ...(roleGroups.master.length > 1 && {
        controlPlaneEndpoint: { internalLoadbalancer: 'haproxy' },
      }),
      kubernetes: {
        version: 'v1.35.4',
        kubeletConfiguration: KUBELET,
        kubeProxyConfiguration: { conntrack: { maxPerCore: 0 } },
        // Kernel modules, memory and CPU count are those of this computer.
        ignorePreflightErrors: ['SystemVerification', 'Mem', 'NumCPU'],
      },
      network: { plugin: 'flannel' },
    },
  };
  return `# The machines of the lab ${options.name}, written by kubexm lab up.\n${stringify(cluster, { lineWidth: 0, aliasDuplicateObjects: false })}`;
}

// The machines share the disk and kernel of this computer, which may be nearly full, use swap, and have cgroup v1.
const KUBELET = {
  failSwapOn: false,
  failCgroupV1: false,
  evictionHard: { 'nodefs.available': '1%', 'imagefs.available': '1%' },
  imageGCHighThresholdPercent: 99,
  imageGCLowThresholdPercent: 98,
};

function hostOf(
  options: LabOptions,
  { machine, hostKey }: PinnedMachine,
  key: Key | undefined,
  jump: PinnedMachine | undefined,
) {
  const { user, password, sudoPassword } = options;
  return {
    name: machine.name,
    address: machine.address,
    ...(machine.port !== 22 && { port: machine.port }),
    user,
    ...(password !== undefined && { password }),
    ...(key && { privateKeyPath: key.path }),
    ...(key?.passphrase !== undefined && { passphrase: key.passphrase }),
    ...(sudoPassword !== undefined && { sudoPassword }),
    ...(jump && {
      jump: {
        address: jump.machine.address,
        user,
        ...(key ? { privateKeyPath: key.path } : { password }),
        ...(key?.passphrase !== undefined && { passphrase: key.passphrase }),
        hostKey: jump.hostKey,
      },
    }),
    hostKey,
  };
}

function rolesOf(names: readonly string[]) {
  const masters = names.slice(0, names.length >= 5 ? 3 : 1);
  const workers = names.length === 1 ? names : names.slice(masters.length);
  return { etcd: masters, master: masters, worker: workers };
}
