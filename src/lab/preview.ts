import { imageIsCached } from './image/build.ts';
import { findLabs } from './labs.ts';
import { findMachines, type FoundMachine } from './machine/find-machines.ts';
import { checkLabName } from './names.ts';
import { labOptions, machineNames, type LabOptions } from './options.ts';
import { labPaths } from './paths.ts';
import { findProgram, missingPackages } from './prerequisites.ts';

/** What `labUp` would do, in sentences; looks only. */
export async function previewUp(given: Partial<LabOptions>): Promise<readonly string[]> {
  const options = labOptions(given);
  const packages = await missingPackages();
  const present = await machinesOf(options.name);
  const running = new Set(present.filter(({ state }) => state === 'running').map(({ name }) => name));
  const missing = machineNames(options).filter((name) => !running.has(name));
  const cached = !packages.includes('podman') && (await imageIsCached());
  return [
    ...(packages.length > 0 ? [`install ${packages.join(', ')}`] : []),
    ...(cached ? [] : ['build the machine image']),
    ...(present.length > 0 ? [] : [`make a network for the lab ${options.name}`]),
    ...(missing.length > 0 ? [`boot ${missing.join(', ')}`] : []),
    ...(missing.length > 0 ? [`write ${labPaths(options.name).cluster}`] : []),
  ];
}

/** What `labDown` would remove, in sentences; looks only. */
export async function previewDown(name: string): Promise<readonly string[]> {
  checkLabName(name);
  if (!(await findLabs()).includes(name)) return [];
  const machines = await machinesOf(name);
  return [
    ...(machines.length > 0 ? [`remove ${machines.map((machine) => machine.name).join(', ')} with their disks`] : []),
    `remove the network of the lab ${name}`,
    `remove ${labPaths(name).folder}`,
  ];
}

const machinesOf = async (lab: string): Promise<readonly FoundMachine[]> =>
  (await findProgram('podman')) ? findMachines(lab) : [];
