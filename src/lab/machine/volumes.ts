import { isVolumeOf, volumesOf } from '../names.ts';
import { podman } from '../podman.ts';

/** Removes the volumes of a lab, or only those of some of its machines. */
export async function removeVolumes(lab: string, machines?: readonly string[]): Promise<void> {
  const wanted = machines?.flatMap((machine) => Object.values(volumesOf(lab, machine)));
  const volumes = (await podman(['volume', 'ls', '--quiet']))
    .split('\n')
    .filter((volume) => (wanted ? wanted.includes(volume) : isVolumeOf(lab, volume)));
  if (volumes.length > 0) await podman(['volume', 'rm', '--force', ...volumes]);
}
