import { imageIsCached } from './image/build.ts';
import { findLabs } from './labs.ts';
import { findMachines, type FoundMachine } from './machine/find-machines.ts';
import { checkLabName } from './names.ts';
import { labOptions, machineNames, type LabOptions } from './options.ts';
import { labPaths } from './paths.ts';
import { findProgram, missingPackages } from './prerequisites.ts';

/** Describes what `labUp` would do, one imperative phrase per action. Changes nothing. */
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
    ...(present.length > 0 ? [] : [`create a network for lab ${options.name}`]),
    ...(missing.length > 0 ? [`boot ${missing.join(', ')}`] : []),
    ...(missing.length > 0 ? [`write ${labPaths(options.name).cluster}`] : []),
  ];
}

/** Describes what `labDown` would remove. Changes nothing. */
export async function previewDown(name: string): Promise<readonly string[]> {
  checkLabName(name);
  if (!(await findLabs()).includes(name)) return [];
  const machines = await machinesOf(name);
  return [
    ...(machines.length > 0 ? [`remove ${machines.map((machine) => machine.name).join(', ')} with all data`] : []),
    `remove the network of lab ${name}`,
    `remove ${labPaths(name).folder}`,
  ];
}

const machinesOf = async (lab: string): Promise<readonly FoundMachine[]> =>
  (await findProgram('podman')) ? findMachines(lab) : [];
