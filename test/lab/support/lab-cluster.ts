import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parse, stringify } from 'yaml';
import type { Machine } from '../../../src/lab/machine/machine.ts';
import type { Lab } from '../../../src/lab/up.ts';
import { kubexm, type Called } from '../../fast/cli/kubexm.ts';
import { hostState } from './host-state.ts';

/** A cluster file for a lab, and a function that runs kubexm with it. */
export interface LabCluster {
  readonly file: string;
  readonly call: (...args: readonly string[]) => Promise<Called>;
}

/** Writes a copy of the cluster file of a lab with some spec fields replaced. */
export async function labCluster(lab: Lab, blocks: Readonly<Record<string, unknown>>): Promise<LabCluster> {
  const { paths } = lab;
  const file = join(paths.folder, 'changed.yaml');
  const cluster = parse(await readFile(paths.cluster, 'utf8'));
  await writeFile(file, stringify({ ...cluster, spec: { ...cluster.spec, ...blocks } }));
  return { file, call: (...args) => runKubexm(lab, file, ...args) };
}

/** Runs kubexm with a cluster file and the lab directory as working directory. */
export const runKubexm = ({ paths }: Lab, file: string, ...args: readonly string[]): Promise<Called> =>
  kubexm([...args, '-f', file, '--workdir', paths.folder], { KUBEXM_HOME: process.env['KUBEXM_HOME'] ?? '' });

/** A part of a cluster to install and uninstall on one machine. */
export interface InstallCheck {
  readonly machine: Machine;
  /** Value of --tags for `create cluster`. */
  readonly createTags: string;
  /** Value of --tags for `delete cluster`. */
  readonly deleteTags: string;
  readonly stateOf?: (machine: Machine) => Promise<readonly string[]>;
  /** Verifies that the installed part works. */
  readonly verify: () => Promise<void>;
}

/** Installs a part of a cluster, verifies it, re-runs it without changes, and uninstalls it without leaving changes. */
export async function expectInstallAndUninstall({ call }: LabCluster, check: InstallCheck): Promise<void> {
  const { machine, createTags, deleteTags, stateOf = hostState, verify } = check;
  const create = ['create', 'cluster', '--skip-preflight', '--nodes', machine.name, '--tags', createTags];
  const before = await stateOf(machine);
  const created = await call(...create);
  expect(created.exit, created.stderr).toBe(0);
  await verify();
  expect((await call(...create)).stderr).toContain('Nothing to do');
  const deleted = await call('delete', 'cluster', '--yes', '--nodes', machine.name, '--tags', deleteTags);
  expect(deleted.exit, deleted.stderr).toBe(0);
  expect(await stateOf(machine)).toEqual(before);
}
