import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { findMachines } from './machine/find-machines.ts';
import { networkLabs } from './network/network.ts';
import { labOptions, type LabOptions } from './options.ts';
import { labPaths, labsFolder } from './paths.ts';
import { findProgram } from './prerequisites.ts';

/** The names of all labs that have a machine, a network or a directory on this computer. */
export async function findLabs(): Promise<readonly string[]> {
  const inPodman = (await findProgram('podman'))
    ? [...(await findMachines()).map(({ lab }) => lab), ...(await networkLabs())]
    : [];
  return [...new Set([...inPodman, ...(await recordedLabs())])].toSorted();
}

/** The options a lab was created with, or undefined if there is no readable record. */
export async function readRecord(lab: string): Promise<LabOptions | undefined> {
  try {
    const given: Partial<LabOptions> = JSON.parse(await readFile(labPaths(lab).record, 'utf8'));
    return labOptions(given);
  } catch {
    return undefined;
  }
}

/** Records the options of a lab. Call this first, so that an interrupted `lab up` can be cleaned up. */
export async function writeRecord(options: LabOptions): Promise<void> {
  const { folder, record } = labPaths(options.name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(record, `${JSON.stringify(options, null, 2)}\n`, { mode: 0o600 });
}

const recordedLabs = async (): Promise<readonly string[]> =>
  (await readdir(labsFolder(), { withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
