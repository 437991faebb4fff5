import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { removedHostsFolder } from '../common/cluster-files.ts';
import { ensureFolder } from '../util/ensure-folder.ts';
import { readPrivateFile, writePrivateFile } from '../util/private-file.ts';
import { clusterFolder } from './runs.ts';

/** A host that was removed from its cluster without being reset. */
export interface RemovedHost {
  readonly workdir: string;
  readonly cluster: string;
  readonly name: string;
}

/** Keeps the cluster file that describes the host: how to log in to it, and what is installed there. */
export async function keepRemovedHost(host: RemovedHost, clusterFile: string): Promise<void> {
  await ensureFolder(folderOf(host), 0o700);
  await writePrivateFile(pathOf(host), clusterFile);
}

/** The text of the cluster file that describes the host; undefined if it is not waiting for its cleanup. */
export const readRemovedHost = (host: RemovedHost): Promise<string | undefined> => readPrivateFile(pathOf(host));

export const forgetRemovedHost = (host: RemovedHost): Promise<void> => rm(pathOf(host), { force: true });

/** The names of the hosts that are waiting for their cleanup. */
export async function listRemovedHosts(cluster: Omit<RemovedHost, 'name'>): Promise<readonly string[]> {
  const files = await readdir(folderOf(cluster)).catch(() => []);
  return files.flatMap((file) => (file.endsWith(SUFFIX) ? [file.slice(0, -SUFFIX.length)] : [])).toSorted();
}

const SUFFIX = '.yaml';

const folderOf = ({ workdir, cluster }: Omit<RemovedHost, 'name'>) =>
  removedHostsFolder(clusterFolder(workdir, cluster));

const pathOf = (host: RemovedHost) => join(folderOf(host), `${host.name}${SUFFIX}`);
