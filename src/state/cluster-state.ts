import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ENCRYPTION_KEY, kubeconfigFile, kubernetesCertificates, stateFile } from '../common/cluster-files.ts';
import { clusterFolder } from './runs.ts';

/** The text of what was applied; empty when nothing was. */
export const readAppliedState = (workdir: string, cluster: string): Promise<string> =>
  readFile(stateFile(clusterFolder(workdir, cluster)), 'utf8').catch(() => '');

/** The cluster is gone: nothing here leads to it any more. Whoever comes back to its data needs what it was entered with. */
export async function removeClusterState(workdir: string, cluster: string, keepsData: boolean): Promise<void> {
  const folder = clusterFolder(workdir, cluster);
  const credentials = keepsData ? [] : await credentialsIn(kubernetesCertificates(folder));
  const gone = [stateFile(folder), kubeconfigFile(folder), ...credentials];
  await Promise.all(gone.map((path) => rm(path, { recursive: true, force: true })));
}

/** A new cluster of this name must not let in whom the old one did. The key that data are encrypted with lets nobody in, and backups need it. */
async function credentialsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => name !== ENCRYPTION_KEY).map((name) => join(folder, name));
}
