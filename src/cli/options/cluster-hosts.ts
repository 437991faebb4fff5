import { locateCluster, typedFlags } from './cluster.ts';

/** Completes host names from the cluster file that the previous words select. */
export async function clusterHosts(words: readonly string[]): Promise<readonly string[]> {
  const { loadCluster } = await import('../../config/load/load.ts');
  try {
    const { flags, workdir } = typedFlags(words);
    const { file } = await locateCluster(flags, { workdir });
    return (await loadCluster(file)).hosts.map(({ name }) => name);
  } catch {
    return [];
  }
}
