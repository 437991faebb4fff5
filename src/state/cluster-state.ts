import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ENCRYPTION_KEY, kubeconfigFile, kubernetesCertificates, stateFile } from '../common/cluster-files.ts';
import { clusterFolder } from './runs.ts';

/** The applied state as text; empty if nothing was applied. */
export const readAppliedState = (workdir: string, cluster: string): Promise<string> =>
  readFile(stateFile(clusterFolder(workdir, cluster)), 'utf8').catch(() => '');

/** Removes the local files of a deleted cluster. If its data is kept, so are the credentials needed to use it again. */
export async function removeClusterState(workdir: string, cluster: string, keepData: boolean): Promise<void> {
  const folder = clusterFolder(workdir, cluster);
  const credentials = keepData ? [] : await credentialsIn(kubernetesCertificates(folder));
  const paths = [stateFile(folder), kubeconfigFile(folder), ...credentials];
  await Promise.all(paths.map((path) => rm(path, { recursive: true, force: true })));
}

/** Everything but the encryption key, which grants no access but is needed to restore backups. */
async function credentialsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => name !== ENCRYPTION_KEY).map((name) => join(folder, name));
}
