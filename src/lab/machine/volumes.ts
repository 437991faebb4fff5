import { containerOf } from '../names.ts';
import { podman } from '../podman.ts';

/** The volumes of a machine by mount path. The kernel refuses overlay on overlay, so these need a plain file system. */
export const volumesOf = (lab: string, machine: string): Readonly<Record<string, string>> =>
  Object.fromEntries(VOLUMES.map((name) => [`/var/lib/${name}`, `${containerOf(lab, machine)}-${name}`]));

/** Whether a volume belongs to this lab, and not to another lab whose name starts with the same characters. */
export const isVolumeOf = (lab: string, volume: string) =>
  new RegExp(`^kubexm-${lab}-(node\\d+|jump)-(${VOLUMES.join('|')})$`).test(volume);

const VOLUMES = ['containerd', 'kubelet', 'docker'];

/** Removes the volumes of a lab, or only those of the given machines. */
export async function removeVolumes(lab: string, machines?: readonly string[]): Promise<void> {
  const selected = machines?.flatMap((machine) => Object.values(volumesOf(lab, machine)));
  const volumes = (await podman(['volume', 'ls', '--quiet']))
    .split('\n')
    .filter((volume) => (selected ? selected.includes(volume) : isVolumeOf(lab, volume)));
  if (volumes.length > 0) await podman(['volume', 'rm', '--force', ...volumes]);
}
