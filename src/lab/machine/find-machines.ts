import { fail } from '../../common/errors/errors.ts';
import { at, items, parseJson, text } from '../json.ts';
import { stateOf, type Machine, type MachineState } from './machine.ts';
import { LAB_LABEL, podman } from '../podman.ts';

/** An existing machine and its current state. */
export interface FoundMachine extends Machine {
  readonly state: MachineState;
}

/** Finds the machines of one lab, or of all labs, by their labels. */
export async function findMachines(lab?: string): Promise<readonly FoundMachine[]> {
  const filter = lab === undefined ? LAB_LABEL : `${LAB_LABEL}=${lab}`;
  const found = items(parseJson(await podman(['ps', '--all', '--filter', `label=${filter}`, '--format', 'json'])));
  return found
    .map((container) => {
      const label = (key: string) => text(at(container, 'Labels', key));
      return Object.freeze({
        name: label(MACHINE_LABEL),
        lab: label(LAB_LABEL),
        container: text(at(container, 'Names', 0)),
        address: label(ADDRESS_LABEL),
        port: Number(label(PORT_LABEL)),
        state: stateOf(text(at(container, 'State'))),
      });
    })
    .toSorted((a, b) => a.lab.localeCompare(b.lab) || a.name.localeCompare(b.name, 'en', { numeric: true }));
}

export async function findMachine(lab: string, name: string): Promise<FoundMachine> {
  const machines = await findMachines(lab);
  const machine = machines.find((one) => one.name === name);
  if (machine) return machine;
  if (machines.length > 0) {
    throw fail('LAB_MACHINE_NOT_FOUND', { machine: name, lab, machines: machines.map((one) => one.name).join(', ') });
  }
  const labs = new Set((await findMachines()).map((one) => one.lab));
  throw fail('LAB_NOT_FOUND', { name: lab, labs: [...labs].join(', ') || 'none' });
}

export const MACHINE_LABEL = 'kubexm.lab.machine';
export const ADDRESS_LABEL = 'kubexm.lab.address';
export const PORT_LABEL = 'kubexm.lab.port';
