import { resolve } from 'node:path';
import { KubexmError } from '../../common/errors/errors.ts';
import { saveContext, readContexts, removeContext, type Context } from '../../state/contexts.ts';
import type { LocalCluster } from '../../state/kubeconfig.ts';
import type { Console } from '../console.ts';
import type { ClusterLocation } from '../options/cluster.ts';

/** Adds a context to ~/.kubexm/config, unless a context already refers to the same cluster file. */
export async function addContext(cluster: { readonly name: string }, location: ClusterLocation): Promise<void> {
  const context = contextOf(cluster, location);
  const { contexts } = await readContexts();
  if (!contexts.some(({ file, workdir }) => file === context.file && workdir === context.workdir))
    await saveContext(context);
}

/** Removes the context of a deleted cluster. Keeps a context with the same name that refers to another cluster file. */
export async function dropContext(cluster: { readonly name: string }, location: ClusterLocation): Promise<void> {
  const { name, file } = contextOf(cluster, location);
  const { contexts } = await readContexts();
  if (contexts.some((context) => context.name === name && context.file === file)) await removeContext(name);
}

const contextOf = ({ name }: { readonly name: string }, { file, workdir }: ClusterLocation): Context => ({
  name,
  file: resolve(file),
  workdir: resolve(workdir),
});

/** Adds the cluster to the kubeconfig of this user. */
export async function addToKubeconfig(cluster: LocalCluster, console: Console): Promise<void> {
  const { mergeKubeconfig, userKubeconfig } = await import('../../state/kubeconfig.ts');
  const path = userKubeconfig();
  const changed = await mergeKubeconfig(cluster, path);
  console.note(
    changed
      ? `Added context ${cluster.name} to ${path}. Try: kubectl get nodes`
      : `Context ${cluster.name} in ${path} is up to date.`,
  );
}

/** Removes a deleted cluster from the kubeconfig of this user and deletes its local state. */
export async function removeLocalState(cluster: LocalCluster, keepsData: boolean, console: Console): Promise<void> {
  const { unmergeKubeconfig, userKubeconfig } = await import('../../state/kubeconfig.ts');
  const { removeClusterState } = await import('../../state/cluster-state.ts');
  const path = userKubeconfig();
  try {
    if (await unmergeKubeconfig(cluster, path)) console.note(`Removed context ${cluster.name} from ${path}.`);
  } catch (error) {
    if (!(error instanceof KubexmError)) throw error;
    // An unreadable kubeconfig must not make the deletion of the cluster fail.
    console.note(`Context ${cluster.name} was not removed: ${error.report.title}.`, 'warning');
  }
  await removeClusterState(cluster.workdir, cluster.name, keepsData);
}
