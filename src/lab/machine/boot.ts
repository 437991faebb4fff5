import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Machine } from './machine.ts';
import { ADDRESS_LABEL, MACHINE_LABEL, PORT_LABEL } from './find-machines.ts';
import { networkOf } from '../names.ts';
import { LAB_LABEL, podman } from '../podman.ts';
import { volumesOf } from './volumes.ts';

/** Everything needed to boot one machine. */
export interface BootPlan {
  readonly machine: Machine;
  readonly image: string;
  /** Directory mounted into the machine; its init script reads it. */
  readonly folder: string;
  /** Path of the seccomp profile. */
  readonly seccomp: string;
  /** Script that runs on first boot. */
  readonly setup: string;
  /** nftables rules to load at every boot. */
  readonly firewall?: string;
  /** Device numbers of the extra disk: "7 3". */
  readonly disk?: string;
}

/** Writes the files that the init script of the machine reads. */
export async function prepareBoot({ folder, setup, firewall, disk }: BootPlan): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const write = (name: string, content: string) => writeFile(join(folder, name), content, { mode: 0o600 });
  await write('setup', setup);
  await write('disks', disk === undefined ? '' : `vdb ${disk}\n`);
  if (firewall === undefined) await rm(join(folder, 'firewall'), { force: true });
  else await write('firewall', firewall);
}

/** Creates and starts the container of the machine. */
export const boot = (plan: BootPlan): Promise<string> => podman(bootArgs(plan));

export function bootArgs({ machine, image, folder, seccomp }: BootPlan): readonly string[] {
  const { name, lab, container, address, port } = machine;
  const labels = { [LAB_LABEL]: lab, [MACHINE_LABEL]: name, [ADDRESS_LABEL]: address, [PORT_LABEL]: String(port) };
  return [
    ['run', '--detach', '--name', container, '--hostname', name],
    ...Object.entries(labels).flatMap(([key, value]) => ['--label', `${key}=${value}`]),
    ['--privileged', '--security-opt', `seccomp=${seccomp}`],
    // A reboot exits with an error, so podman restarts the container; after `podman kill` it stays down.
    ['--restart', 'on-failure'],
    // podman's defaults for root may exceed the limits of this computer.
    ['--ulimit', 'nofile=10000:10000', '--ulimit', 'nproc=10000:10000'],
    ['--systemd=false', '--env', 'container=podman', '--stop-signal', 'SIGRTMIN+3', '--cgroupns=private'],
    ['--network', networkOf(lab), '--ip', address, '--mac-address', macOf(address)],
    ['--tmpfs', '/tmp', '--tmpfs', '/run'],
    ['--volume', `${folder}:/etc/kubexm-lab:ro`],
    ...Object.entries(volumesOf(lab, name)).flatMap(([path, volume]) => ['--volume', `${volume}:${path}`]),
    ['--pull', 'never', image, '/sbin/lab-init'],
  ].flat();
}

// The MAC address is stable across boots, so the ARP tables of other machines stay valid.
const macOf = (address: string) =>
  ['02', '42', ...address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'))].join(':');

/** Seccomp profile that denies system calls affecting the whole computer, even for root. */
export const SECCOMP = JSON.stringify(
  {
    defaultAction: 'SCMP_ACT_ALLOW',
    syscalls: [
      {
        names: ['clock_settime', 'settimeofday', 'swapon', 'swapoff', 'kexec_load', 'kexec_file_load'],
        action: 'SCMP_ACT_ERRNO',
        errnoRet: 1,
      },
    ],
  },
  null,
  2,
);
