import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Machine } from './machine.ts';
import { ADDRESS_LABEL, MACHINE_LABEL, PORT_LABEL } from './find-machines.ts';
import { networkOf, volumesOf } from '../names.ts';
import { LAB_LABEL, podman } from '../podman.ts';

/** What a machine is booted with. */
export interface BootPlan {
  readonly machine: Machine;
  readonly image: string;
  /** The folder that the machine reads while it boots. */
  readonly folder: string;
  readonly seccomp: string;
  readonly setup: string;
  readonly firewall?: string;
  /** Device numbers of the extra disk, "7 3". */
  readonly disk?: string;
}

/** Writes what the machine reads when it boots. */
export async function prepareBoot({ folder, setup, firewall, disk }: BootPlan): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const write = (name: string, content: string) => writeFile(join(folder, name), content, { mode: 0o600 });
  await write('setup', setup);
  await write('disks', disk === undefined ? '' : `vdb ${disk}\n`);
  if (firewall === undefined) await rm(join(folder, 'firewall'), { force: true });
  else await write('firewall', firewall);
}

/** Makes and starts the container that is the machine. */
export const boot = (plan: BootPlan): Promise<string> => podman(bootArgs(plan));

export function bootArgs({ machine, image, folder, seccomp }: BootPlan): readonly string[] {
  const { name, lab, container, address, port } = machine;
  const labels = { [LAB_LABEL]: lab, [MACHINE_LABEL]: name, [ADDRESS_LABEL]: address, [PORT_LABEL]: String(port) };
  return [
    ['run', '--detach', '--name', container, '--hostname', name],
    ...Object.entries(labels).flatMap(([key, value]) => ['--label', `${key}=${value}`]),
    ['--privileged', '--security-opt', `seccomp=${seccomp}`],
    // A reboot ends the container with an error, and this starts it again; `podman kill` keeps it down.
    ['--restart', 'on-failure'],
    // What is usual for root may be more than this computer lets a container have.
    ['--ulimit', 'nofile=10000:10000', '--ulimit', 'nproc=10000:10000'],
    ['--systemd=false', '--env', 'container=podman', '--stop-signal', 'SIGRTMIN+3', '--cgroupns=private'],
    ['--network', networkOf(lab), '--ip', address, '--mac-address', macOf(address)],
    ['--tmpfs', '/tmp', '--tmpfs', '/run'],
    ['--volume', `${folder}:/etc/kubexm-lab:ro`],
    ...Object.entries(volumesOf(lab, name)).flatMap(([path, volume]) => ['--volume', `${volume}:${path}`]),
    ['--pull', 'never', image, '/sbin/lab-init'],
  ].flat();
}

// A machine that boots again keeps its place in its neighbours' tables, as one with a real network card does.
const macOf = (address: string) =>
  ['02', '42', ...address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'))].join(':');
