import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../common/errors/errors.ts';
import type { ReportProgress } from '../common/progress.ts';
import { SECCOMP } from './machine/boot.ts';
import { bootMachines, type UpContext } from './machine/boot-machines.ts';
import { clusterFile } from './cluster-file.ts';
import { removeLab } from './down.ts';
import { ensureImage } from './image/build.ts';
import { ensureKeys, type Key } from './machine/ssh-keys.ts';
import { findLabs, readRecord, writeRecord } from './labs.ts';
import { raiseLimits } from './machine/kernel-limits.ts';
import { withMachineLock } from '../util/process-lock.ts';
import type { Machine } from './machine/machine.ts';
import { findMachines } from './machine/find-machines.ts';
import { ensureNetwork } from './network/network.ts';
import { differences, labOptions, machineNames, type LabOptions } from './options.ts';
import { labPaths, type LabPaths } from './paths.ts';
import { ensurePrerequisites } from './prerequisites.ts';
import { hostKeys, knownHosts, sshConfig } from './machine/ssh-config.ts';
import { awaitMachines } from './machine/wait.ts';

/** A lab whose machines are ready. */
export interface Lab {
  readonly name: string;
  readonly machines: readonly Machine[];
  readonly paths: LabPaths;
  /** Time to boot the machines, without building the image. */
  readonly seconds: number;
}

/** Creates a lab, or recreates its missing parts. Resolves when every machine is ready over SSH. */
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
    onWait: (holder: string) => report({ task: `Waiting for ${holder}, which uses lab ${options.name}` }),
  };
  return withMachineLock(
    `lab-of-${options.name}`,
    () => createLab({ options, image, report, ...(signal && { signal }) }),
    waiting,
  );
}

async function createLab(context: UpContext): Promise<Lab> {
  const { options, report } = context;
  const present = await readRecord(options.name);
  if (present && differences(present, options)) {
    throw fail('LAB_DIFFERS', { name: options.name, differences: differences(present, options) });
  }
  const existed = (await findLabs()).includes(options.name);
  try {
    return await bootLab(context);
  } catch (error) {
    // A lab that existed before this call must survive its failure.
    if (!existed) await removeLab(options.name, report);
    throw context.signal?.aborted ? fail('INTERRUPTED', {}, error) : error;
  }
}

async function bootLab(context: UpContext): Promise<Lab> {
  const { options, report, signal } = context;
  const start = performance.now();
  const paths = labPaths(options.name);
  const task = 'Starting the machines';
  report({ task });
  await writeRecord(options);
  await writeFile(join(paths.folder, 'seccomp.json'), SECCOMP, { mode: 0o600 });
  const [number, keys] = await Promise.all([ensureNetwork(options.name), ensureKeys(paths.folder, options)]);
  const others = (await findMachines()).length;
  await raiseLimits(others + machineNames(options).length);
  const machines = await bootMachines(context, number, keys, paths);
  if (signal?.aborted) throw fail('INTERRUPTED', {});
  await writeAccessFiles(options, machines, keys, paths);
  await awaitMachines(machines, paths, report, signal);
  return Object.freeze({ name: options.name, machines, paths, seconds: (performance.now() - start) / 1000 });
}

async function writeAccessFiles(
  options: LabOptions,
  machines: readonly Machine[],
  keys: readonly Key[],
  paths: LabPaths,
): Promise<void> {
  const withKeys = await Promise.all(machines.map(async (machine) => ({ machine, keys: await hostKeys(machine) })));
  const pinned = withKeys.map((one) => ({
    machine: one.machine,
    hostKey: one.keys.find((key) => key.startsWith(PINNED_TYPE)) ?? '',
  }));
  const write = (path: string, text: string) => writeFile(path, text, { mode: 0o600 });
  await mkdir(paths.folder, { recursive: true, mode: 0o700 });
  await write(paths.knownHosts, knownHosts(withKeys));
  await write(paths.sshConfig, sshConfig(machines, options.user, keys, paths));
  await write(paths.cluster, clusterFile(options, pinned, keys));
}

const PINNED_TYPE = 'ssh-ed25519 ';
