import { join } from 'node:path';

/** Where it is written what was applied, in the folder of a cluster. */
export const stateFile = (folder: string) => join(folder, 'state.json');

/** The way into the cluster, in its folder. */
export const kubeconfigFile = (folder: string) => join(folder, 'kubeconfig');
