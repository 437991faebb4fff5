import { kubexmHome } from '../common/home.ts';
import { join } from 'node:path';

/** The local paths of one lab. */
export interface LabPaths {
  readonly folder: string;
  /** The options the lab was created with. */
  readonly record: string;
  readonly knownHosts: string;
  readonly sshConfig: string;
  readonly cluster: string;
  readonly disks: string;
  /** The directory that a machine reads at boot. */
  machine(name: string): string;
}

export const labsFolder = () => join(kubexmHome(), 'labs');

export function labPaths(lab: string): LabPaths {
  const folder = join(labsFolder(), lab);
  return Object.freeze({
    folder,
    record: join(folder, 'lab.json'),
    knownHosts: join(folder, 'known_hosts'),
    sshConfig: join(folder, 'ssh_config'),
    cluster: join(folder, 'cluster.yaml'),
    disks: join(folder, 'disks'),
    machine: (name: string) => join(folder, 'machines', name),
  });
}
