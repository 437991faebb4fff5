import { EXIT } from '../exit-codes.ts';
import { entry } from './entry.ts';

/** Errors of the lab: machines on this computer. */
export const labErrors = {
  LAB_NOT_FOUND: entry(EXIT.config, { name: 'demo', labs: 'none' }, (p) => ({
    title: `There is no lab named ${p.name}`,
    message: `No machine, network or file of a lab named ${p.name} is here. Labs on this computer: ${p.labs}.`,
    hint: `kubexm lab up --name ${p.name} --machines 3`,
  })),
};
