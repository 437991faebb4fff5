import { fail, type KubexmError } from '../../common/errors/errors.ts';
import { checkClusterText, type CheckOptions, type Checked } from './check.ts';
import type { Cluster } from '../model/cluster.ts';
import { formatDiagnostic, type Diagnostic } from '../diagnostic/diagnostic.ts';
import { textAt } from '../source/edit.ts';
import { parse } from '../source/parse.ts';
import { readClusterFile } from '../source/read.ts';

/** Loads a cluster file. Throws an error that lists all problems in the file. */
export async function loadCluster(path: string, options: CheckOptions = {}): Promise<Cluster> {
  return (await loadChecked(path, options)).cluster;
}

/** A cluster with the warnings and notes about its cluster file. */
export interface LoadedCluster {
  readonly cluster: Cluster;
  readonly diagnostics: readonly Diagnostic[];
}

/** Loads a cluster file like `loadCluster`, but also returns warnings and notes. */
export async function loadChecked(path: string, options: CheckOptions = {}): Promise<LoadedCluster> {
  const { cluster, diagnostics } = await checkClusterFile(path, options);
  if (cluster) return { cluster, diagnostics };
  throw configInvalid(path, diagnostics);
}

/** Reads and checks a cluster file. */
export async function checkClusterFile(path: string, options: CheckOptions = {}): Promise<Checked> {
  return checkClusterText(await readClusterFile(path), path, { env: process.env, ...options });
}

/** Returns the cluster name, even if the rest of the file is invalid. */
export async function clusterNameIn(path: string): Promise<string> {
  const { tree } = parse(await readClusterFile(path));
  return (tree && textAt(tree, ['metadata', 'name'])) || (await loadCluster(path)).name;
}

export function configInvalid(file: string, diagnostics: readonly Diagnostic[]): KubexmError {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return fail('CONFIG_INVALID', { file, errors: errors.length, findings: errors.map(formatDiagnostic).join('\n') });
}
