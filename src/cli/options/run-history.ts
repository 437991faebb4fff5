import type { GlobalOptions } from '../command.ts';
import { clusterOptions, locateCluster, typedFlags, type ClusterFlags } from './cluster.ts';

/** Options for commands that show earlier runs of a cluster. */
export const runHistoryOptions = { file: clusterOptions.file, clusterName: clusterOptions.clusterName };

/** The argument that selects a run. */
export const runArgument = {
  name: 'ID',
  summary: 'run ID, unique prefix of a run ID, or "latest"',
  complete: runIds,
} as const;

/** The working directory and cluster name under which runs are recorded. */
export interface RunHistory {
  readonly workdir: string;
  readonly cluster: string;
}

export async function locateRuns(flags: ClusterFlags, global: Pick<GlobalOptions, 'workdir'>): Promise<RunHistory> {
  const { file, workdir } = await locateCluster(flags, global);
  const { clusterNameIn } = await import('../../config/load/load.ts');
  return { workdir, cluster: await clusterNameIn(file) };
}

/** Completes IDs of runs on the cluster that the previous words select. */
async function runIds(words: readonly string[]): Promise<readonly string[]> {
  const { listRuns: runsOf } = await import('../../state/runs.ts');
  try {
    const { flags, workdir: typed } = typedFlags(words);
    const { workdir, cluster } = await locateRuns(flags, { workdir: typed });
    return ['latest', ...(await runsOf(workdir, cluster))];
  } catch {
    return ['latest'];
  }
}
