import { fail } from '../../common/errors/errors.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import type { CreateOptions } from '../../pipeline/cluster/create.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import { pipelinesWith } from '../../pipeline/pipelines.ts';
import { nodesOf } from '../../plan/graph.ts';
import { plan } from './plan.ts';

/** Finds the pipeline that contains the named task for this cluster. */
export function findTask(cluster: Cluster, name: string, options: CreateOptions): Pipeline {
  const known = pipelinesWith(options).map((pipeline) => ({ pipeline, tasks: tasksOf(pipeline, cluster) }));
  const found = known.find(({ tasks }) => tasks.includes(name));
  if (found) return found.pipeline;
  throw fail('TASK_NOT_FOUND', { name, known: [...new Set(known.flatMap(({ tasks }) => tasks))].join(', ') });
}

const tasksOf = (pipeline: Pipeline, cluster: Cluster) => [
  ...new Set(nodesOf(plan(pipeline, cluster)).map(({ task }) => task.name)),
];
