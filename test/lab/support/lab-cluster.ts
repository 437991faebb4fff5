import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parse, stringify } from 'yaml';
import type { Machine } from '../../../src/lab/machine/machine.ts';
import type { Lab } from '../../../src/lab/up.ts';
import { kubexm, type Called } from '../../fast/cli/kubexm.ts';
import { hostState } from './host-state.ts';

/** A cluster file for the machines of a lab, and kubexm called with it. */
export interface AskedCluster {
  readonly file: string;
  readonly call: (...args: readonly string[]) => Promise<Called>;
}

/** The cluster file of a lab with these blocks in the place of its own. */
export async function askedCluster(lab: Lab, blocks: Readonly<Record<string, unknown>>): Promise<AskedCluster> {
  const { paths } = lab;
  const file = join(paths.folder, 'asked.yaml');
  const cluster = parse(await readFile(paths.cluster, 'utf8'));
  await writeFile(file, stringify({ ...cluster, spec: { ...cluster.spec, ...blocks } }));
  return { file, call: (...args) => callOn(lab, file, ...args) };
}

/** Calls kubexm about the cluster of a file, with the folder of its lab as working directory. */
export const callOn = ({ paths }: Lab, file: string, ...args: readonly string[]): Promise<Called> =>
  kubexm([...args, '-f', file, '--workdir', paths.folder], { KUBEXM_HOME: process.env['KUBEXM_HOME'] ?? '' });

/** A part of a cluster on one machine. */
export interface PartTrial {
  readonly machine: Machine;
  /** What of `create cluster` makes it, and what of `delete cluster` undoes it. */
  readonly made: string;
  readonly undone: string;
  readonly stateOf?: (machine: Machine) => Promise<readonly string[]>;
  /** Sees what it is good for. */
  readonly use: () => Promise<void>;
}

/** A part of a cluster is made, of use, found so again, and gone without a trace. */
export async function comesAndGoes({ call }: AskedCluster, trial: PartTrial): Promise<void> {
  const { machine, made, undone, stateOf = hostState, use } = trial;
  const create = ['create', 'cluster', '--skip-preflight', '--nodes', machine.name, '--tags', made];
  const before = await stateOf(machine);
  const created = await call(...create);
  expect(created.exit, created.stderr).toBe(0);
  await use();
  expect((await call(...create)).stderr).toContain('Nothing to do');
  const deleted = await call('delete', 'cluster', '--yes', '--nodes', machine.name, '--tags', undone);
  expect(deleted.exit, deleted.stderr).toBe(0);
  expect(await stateOf(machine)).toEqual(before);
}
