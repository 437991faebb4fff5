import { resolve } from 'node:path';
import { putContext, readContexts, removeContext, type Context } from '../../state/contexts.ts';
import type { ClusterPlace } from '../options/cluster.ts';

/** Lets -c and later commands find the cluster by its name, unless a context has its file already. */
export async function rememberContext(cluster: { readonly name: string }, place: ClusterPlace): Promise<void> {
  const context = contextOf(cluster, place);
  const { contexts } = await readContexts();
  if (!contexts.some(({ file, workdir }) => file === context.file && workdir === context.workdir))
    await putContext(context);
}

/** The cluster is gone; a context of the same name for another file is somebody else's. */
export async function forgetContext(cluster: { readonly name: string }, place: ClusterPlace): Promise<void> {
  const { name, file } = contextOf(cluster, place);
  const { contexts } = await readContexts();
  if (contexts.some((context) => context.name === name && context.file === file)) await removeContext(name);
}

const contextOf = ({ name }: { readonly name: string }, { file, workdir }: ClusterPlace): Context => ({
  name,
  file: resolve(file),
  workdir: resolve(workdir),
});
