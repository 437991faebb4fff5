/** The flag that says which lab is meant. */
export const labName = {
  type: 'text',
  value: 'lab',
  default: 'lab',
  summary: 'which lab',
} as const;

/** The context that a lab adds to ~/.kubexm/config. */
export const contextOf = (lab: string) => `lab-${lab}`;

export const output = {
  type: 'choice',
  short: 'o',
  choices: ['text', 'json'],
  default: 'text',
  summary: 'how to print it',
} as const;

/** Names for the shell to complete: the machines of every lab. */
export async function machineNames(): Promise<readonly string[]> {
  const { findMachines } = await import('../../lab/machine/find-machines.ts');
  return [...new Set((await findMachines()).map(({ name }) => name))];
}
