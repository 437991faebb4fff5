import { KubexmError } from '../common/errors/errors.ts';
import type { OwnCluster } from '../state/kubeconfig.ts';
import type { Console } from './console.ts';

/** kubectl of this user finds the cluster. */
export async function mergeFor(cluster: OwnCluster, console: Console): Promise<void> {
  const { mergeKubeconfig, userKubeconfig } = await import('../state/kubeconfig.ts');
  const path = userKubeconfig();
  const changed = await mergeKubeconfig(cluster, path);
  console.note(
    changed
      ? `${path} has the context ${cluster.name} now: kubectl get nodes`
      : `${path} has the context ${cluster.name} already.`,
  );
}

/** The cluster is gone: what leads to it here goes, too. */
export async function forgetClusterHere(cluster: OwnCluster, keepsData: boolean, console: Console): Promise<void> {
  const { unmergeKubeconfig, userKubeconfig } = await import('../state/kubeconfig.ts');
  const { forgetCluster } = await import('../state/applied.ts');
  const path = userKubeconfig();
  try {
    if (await unmergeKubeconfig(cluster, path)) console.note(`The context ${cluster.name} was taken out of ${path}.`);
  } catch (error) {
    if (!(error instanceof KubexmError)) throw error;
    // Somebody else's file: the cluster is gone all the same.
    console.note(`${error.report.title}, so nothing was taken out of it.`, 'warning');
  }
  await forgetCluster(cluster.workdir, cluster.name, keepsData);
}
