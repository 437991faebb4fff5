import { findProgram } from './prerequisites.ts';
import { findMachines } from './machine/find-machines.ts';
import { networkLabs } from './network/network.ts';
import { recordedLabs } from './record.ts';

/** The names of all labs of which anything is here: a machine, a network or a folder. */
export async function findLabs(): Promise<readonly string[]> {
  const inPodman = (await findProgram('podman'))
    ? [...(await findMachines()).map(({ lab }) => lab), ...(await networkLabs())]
    : [];
  return [...new Set([...inPodman, ...(await recordedLabs())])].toSorted();
}
