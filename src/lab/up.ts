import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../common/errors/errors.ts';
import type { ReportProgress } from '../common/progress.ts';
import { bootMachines } from './machine/boot-machines.ts';
import { clusterFile } from './cluster-file.ts';
import { removeLab } from './down.ts';
import { ensureImage } from './image/build.ts';
import { ensureKeys, type Key } from './machine/ssh-keys.ts';
import { findLabs } from './labs.ts';
import { raiseLimits } from './machine/kernel-limits.ts';
import { withLock } from '../util/lock.ts';
import type { Machine } from './machine/machine.ts';
import { findMachines } from './machine/find-machines.ts';
import { ensureNetwork } from './network/network.ts';
import { differences, labOptions, machineNames, type LabOptions } from './options.ts';
import { labPaths, type LabPaths } from './paths.ts';
import { ensurePrerequisites } from './prerequisites.ts';
import { readRecord, writeRecord } from './record.ts';
import { SECCOMP } from './machine/seccomp.ts';
import { hostKeys, knownHosts, sshConfig } from './machine/ssh-config.ts';
import { awaitMachines } from './machine/await-machines.ts';

/** A lab whose machines answer. */
export interface Lab {
  readonly name: string;
  readonly machines: readonly Machine[];
  readonly paths: LabPaths;
  /** How long the machines took, without the image. */
  readonly seconds: number;
}

/** Makes a lab, or brings back what is missing of it; resolves when every machine answers over SSH. */
export async function labUp(
  given: Partial<LabOptions>,
  report: ReportProgress = () => {},
  signal?: AbortSignal,
): Promise<Lab> {
  const options = labOptions(given);
  await ensurePrerequisites(report, signal);
  const image = await ensureImage(report, signal);
  const waiting = {
    signal,
    onWait: () => report({ task: `Waiting for another kubexm that works on the lab ${options.name}` }),
  };
  return withLock(`lab-of-${options.name}`, () => make({ options, image, report, ...(signal && { signal }) }), waiting);
}

/** All that one call of `labUp` works with. */
export interface Making {
  readonly options: LabOptions;
  readonly image: string;
  readonly report: ReportProgress;
  readonly signal?: AbortSignal;
}

async function make(making: Making): Promise<Lab> {
  const { options, report } = making;
  const present = await readRecord(options.name);
  if (present && differences(present, options)) {
    throw fail('LAB_DIFFERS', { name: options.name, differences: differences(present, options) });
  }
  const wasThere = (await findLabs()).includes(options.name);
  try {
    return await bringUp(making);
  } catch (error) {
    // What was there before this call is not this call's to remove.
    if (!wasThere) await removeLab(options.name, report);
    throw making.signal?.aborted ? fail('INTERRUPTED', {}, error) : error;
  }
}

async function bringUp(making: Making): Promise<Lab> {
  const { options, report, signal } = making;
  const start = performance.now();
  const paths = labPaths(options.name);
  const task = 'Starting the machines';
  report({ task });
  await writeRecord(options);
  await writeFile(join(paths.folder, 'seccomp.json'), SECCOMP, { mode: 0o600 });
  const [number, keys] = await Promise.all([ensureNetwork(options.name), ensureKeys(paths.folder, options)]);
  const others = (await findMachines()).length;
  await raiseLimits(others + machineNames(options).length);
  const machines = await bootMachines(making, number, keys, paths);
  if (signal?.aborted) throw fail('INTERRUPTED', {});
  await writeAccess(options, machines, keys, paths);
  await awaitMachines(machines, paths, report, signal);
  return Object.freeze({ name: options.name, machines, paths, seconds: (performance.now() - start) / 1000 });
}

async function writeAccess(
  options: LabOptions,
  machines: readonly Machine[],
  keys: readonly Key[],
  paths: LabPaths,
): Promise<void> {
  const withKeys = await Promise.all(machines.map(async (machine) => ({ machine, keys: await hostKeys(machine) })));
  const pinned = withKeys.map((one) => ({
    machine: one.machine,
    hostKey: one.keys.find((key) => key.startsWith(PINNED)) ?? '',
  }));
  const write = (path: string, text: string) => writeFile(path, text, { mode: 0o600 });
  await mkdir(paths.folder, { recursive: true, mode: 0o700 });
  await write(paths.knownHosts, knownHosts(withKeys));
  await write(paths.sshConfig, sshConfig(machines, options.user, keys, paths));
  await write(paths.cluster, clusterFile(options, pinned, keys));
}

const PINNED = 'ssh-ed25519 ';
