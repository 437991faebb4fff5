import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { Lab } from '../../src/lab/up.ts';
import { kubexm, type Called } from '../fast/cli/kubexm.ts';

/** A cluster file for the machines of a lab, and kubexm called with it. */
export interface AskedCluster {
  readonly file: string;
  readonly call: (...args: readonly string[]) => Promise<Called>;
}

/** The cluster file of a lab with these blocks in the place of its own. */
export async function askedCluster({ paths }: Lab, blocks: Readonly<Record<string, unknown>>): Promise<AskedCluster> {
  const file = join(paths.folder, 'asked.yaml');
  const cluster = parse(await readFile(paths.cluster, 'utf8'));
  await writeFile(file, stringify({ ...cluster, spec: { ...cluster.spec, ...blocks } }));
  const env = { KUBEXM_HOME: process.env['KUBEXM_HOME'] ?? '' };
  return { file, call: (...args) => kubexm([...args, '-f', file, '--workdir', paths.folder], env) };
}
