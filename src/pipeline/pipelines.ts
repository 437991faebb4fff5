import { createClusterWith, type CreateOptions } from './cluster/create.ts';
import { deleteCluster } from './cluster/delete.ts';
import type { Pipeline } from './pipeline.ts';

/** Every pipeline; `run task` looks for a task in this order. */
export const pipelinesWith = (options: CreateOptions): readonly Pipeline[] => [
  createClusterWith(options),
  deleteCluster,
];
