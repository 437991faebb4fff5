/** Selects a lab. */
export const labName = {
  type: 'text',
  value: 'LAB',
  default: 'lab',
  summary: 'name of the lab',
} as const;

/** Limits a list to one lab. */
export const onlyLab = { type: 'text', value: 'LAB', summary: 'only this lab' } as const;

/** Selects a mirror. */
export const mirrorDir = {
  type: 'text',
  value: 'DIR',
  summary: 'mirror directory (default: ~/.kubexm/mirror)',
} as const;

/** Returns the mirror directory that --dir selects. */
export async function mirrorDirectory(dir: string | undefined): Promise<string> {
  const { defaultMirrorFolder, mirrorPaths } = await import('../../lab/mirror/paths.ts');
  return mirrorPaths(dir ?? defaultMirrorFolder()).folder;
}

/** Returns the name of the context that a lab adds to ~/.kubexm/config. */
export const labContext = (lab: string) => `lab-${lab}`;

/** Completes machine names from all labs. */
export async function machineNames(): Promise<readonly string[]> {
  const { findMachines } = await import('../../lab/machine/find-machines.ts');
  return [...new Set((await findMachines()).map(({ name }) => name))];
}
