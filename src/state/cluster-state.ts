import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  digestKeyFile,
  ENCRYPTION_KEY,
  kubeconfigFile,
  kubernetesCertificates,
  registryFolder,
  removedHostsFolder,
  stateFile,
} from '../common/cluster-files.ts';
import { clusterFolder } from './runs.ts';

/** The applied state as text; empty if nothing was applied. */
export const readAppliedState = (workdir: string, cluster: string): Promise<string> =>
  readFile(stateFile(clusterFolder(workdir, cluster)), 'utf8').catch(() => '');

/**
 * Removes the local files of a deleted cluster. If its data is kept, so are the credentials needed to use it again.
 * Otherwise a new cluster of the same name must not accept any credentials of the old one.
 */
export async function removeClusterState(workdir: string, cluster: string, keepData: boolean): Promise<void> {
  const folder = clusterFolder(workdir, cluster);
  const credentials = keepData ? [] : await credentialsIn(folder);
  const paths = [
    stateFile(folder),
    digestKeyFile(folder),
    kubeconfigFile(folder),
    removedHostsFolder(folder),
    ...credentials,
  ];
  await Promise.all(paths.map((path) => rm(path, { recursive: true, force: true })));
}

/** All certificates, keys and passwords but the encryption key, which grants no access but is needed to restore backups. */
async function credentialsIn(folder: string): Promise<readonly string[]> {
  const kubernetes = kubernetesCertificates(folder);
  const all = [...(await entriesOf(dirname(kubernetes))), ...(await entriesOf(kubernetes)), registryFolder(folder)];
  return all.filter((path) => path !== kubernetes && basename(path) !== ENCRYPTION_KEY);
}

async function entriesOf(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  return names.map((name) => join(folder, name));
}
