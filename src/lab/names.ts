import { fail } from '../common/errors/errors.ts';

/** Validates a lab name, which becomes part of container, network and directory names. */
export function checkLabName(name: string): string {
  if (!/^[a-z]([a-z0-9-]{0,18}[a-z0-9])?$/.test(name)) throw fail('LAB_NAME_INVALID', { name });
  return name;
}

export const networkOf = (lab: string) => `kubexm-${lab}`;
export const containerOf = (lab: string, machine: string) => `kubexm-${lab}-${machine}`;
