import { createCluster } from './cluster/create.ts';
import { deleteCluster } from './cluster/delete.ts';
import type { Pipeline } from './pipeline.ts';

/** Every pipeline; `run task` looks for a task in this order. */
export const pipelines: readonly Pipeline[] = [createCluster, deleteCluster];
