import { rm, rmdir } from 'node:fs/promises';
import type { ReportProgress } from '../common/progress.ts';
import { detachDisks } from './machine/disk.ts';
import { findLabs } from './labs.ts';
import { restoreLimits } from './machine/kernel-limits.ts';
import { withLock } from '../util/lock.ts';
import { findMachines } from './machine/find-machines.ts';
import { checkLabName } from './names.ts';
import { removeNetwork } from './network/network.ts';
import { labPaths, labsFolder } from './paths.ts';
import { podman } from './podman.ts';
import { findProgram, requireRoot } from './prerequisites.ts';
import { removeVolumes } from './machine/volumes.ts';

/** What `labDown` found and removed. */
export interface Removed {
  readonly existed: boolean;
  readonly machines: number;
}

/** Removes a lab, whatever is left of it. Safe to repeat. */
export async function labDown(name: string, report: ReportProgress = () => {}): Promise<Removed> {
  requireRoot();
  checkLabName(name);
  return withLock(`lab-of-${name}`, () => removeLab(name, report));
}

/** The same for a caller that holds the lock of the lab. */
export async function removeLab(name: string, report: ReportProgress): Promise<Removed> {
  const task = `Removing the lab ${name}`;
  report({ task });
  const existed = (await findLabs()).includes(name);
  let machines = 0;
  if (await findProgram('podman')) {
    machines = await removeMachines(name);
    await removeVolumes(name);
    await removeNetwork(name);
  }
  const { folder } = labPaths(name);
  await detachDisks(folder);
  await rm(folder, { recursive: true, force: true });
  // Only an empty folder goes: other labs may have theirs in it.
  await rmdir(labsFolder()).catch(() => {});
  if ((await findLabs()).length === 0) await restoreLimits();
  return { existed, machines };
}

async function removeMachines(name: string): Promise<number> {
  const containers = (await findMachines(name)).map(({ container }) => container);
  if (containers.length > 0) await podman(['rm', '--force', '--volumes', '--time', '0', ...containers]);
  return containers.length;
}
