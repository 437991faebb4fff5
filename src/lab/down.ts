import { rm, rmdir } from 'node:fs/promises';
import type { ReportProgress } from '../common/progress.ts';
import { detachDisks } from './machine/disk.ts';
import { findLabs } from './labs.ts';
import { restoreLimits } from './machine/kernel-limits.ts';
import { withMachineLock } from '../util/process-lock.ts';
import { findMachines } from './machine/find-machines.ts';
import { checkLabName } from './names.ts';
import { removeNetwork } from './network/network.ts';
import { labPaths, labsFolder } from './paths.ts';
import { podman } from './podman.ts';
import { findProgram, requireRoot } from './prerequisites.ts';
import { removeVolumes } from './machine/volumes.ts';

/** The result of `labDown`. */
export interface Removed {
  readonly existed: boolean;
  readonly machines: number;
}

/** Removes a lab or the remains of one. Idempotent. */
export async function labDown(name: string, report: ReportProgress = () => {}): Promise<Removed> {
  requireRoot();
  checkLabName(name);
  return withMachineLock(`lab-of-${name}`, () => removeLab(name, report));
}

/** Like `labDown`, for callers that hold the lab lock. */
export async function removeLab(name: string, report: ReportProgress): Promise<Removed> {
  report({ task: `Removing lab ${name}` });
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
  // Fails on purpose while other labs have files there.
  await rmdir(labsFolder()).catch(() => {});
  if ((await findLabs()).length === 0) await restoreLimits();
  return { existed, machines };
}

async function removeMachines(name: string): Promise<number> {
  const containers = (await findMachines(name)).map(({ container }) => container);
  if (containers.length > 0) await podman(['rm', '--force', '--volumes', '--time', '0', ...containers]);
  return containers.length;
}
