import { fail } from '../common/errors/errors.ts';

/** Names become part of names of containers, networks and folders, so they are checked before anything is made. */
export function checkLabName(name: string): string {
  if (!/^[a-z]([a-z0-9-]{0,18}[a-z0-9])?$/.test(name)) throw fail('LAB_NAME_INVALID', { name });
  return name;
}

export const networkOf = (lab: string) => `kubexm-${lab}`;
export const containerOf = (lab: string, machine: string) => `kubexm-${lab}-${machine}`;

/** Volumes of a machine, by the folder each is for: overlay on overlay is refused, so these need a plain disk. */
export const volumesOf = (lab: string, machine: string): Readonly<Record<string, string>> =>
  Object.fromEntries(VOLUMES.map((name) => [`/var/lib/${name}`, `${containerOf(lab, machine)}-${name}`]));

/** Whether a volume is one of this lab, and not of one whose name only begins alike. */
export const isVolumeOf = (lab: string, volume: string) =>
  new RegExp(`^kubexm-${lab}-(node\\d+|jump)-(${VOLUMES.join('|')})$`).test(volume);

const VOLUMES = ['containerd', 'kubelet', 'docker'];
