import { readFile, rm } from 'node:fs/promises';
import { kubeconfigFile, stateFile } from '../common/cluster-files.ts';
import { clusterFolder } from './runs.ts';

/** The text of what was applied; empty when nothing was. */
export const readStateText = (workdir: string, cluster: string): Promise<string> =>
  readFile(stateFile(clusterFolder(workdir, cluster)), 'utf8').catch(() => '');

/** The cluster is gone: nothing here leads to it any more. */
export async function forgetCluster(workdir: string, cluster: string): Promise<void> {
  const folder = clusterFolder(workdir, cluster);
  await Promise.all([stateFile(folder), kubeconfigFile(folder)].map((path) => rm(path, { force: true })));
}
