import { fail } from '../../common/errors/errors.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { createClusterPipeline } from '../../pipeline/cluster/create.ts';
import { deleteClusterPipeline } from '../../pipeline/cluster/delete.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import { nodesOf } from '../../plan/graph.ts';
import { assumedArches } from './find-arches.ts';
import { findAssets } from './find-assets.ts';
import { modulesOf, plan } from './plan.ts';

/** Finds the pipeline that contains the named task for this cluster. */
export function findTask(cluster: Cluster, name: string, workdir: string): Pipeline {
  const pipelines = [createClusterPipeline(), deleteClusterPipeline()];
  const known = pipelines.map((pipeline) => ({ pipeline, tasks: tasksOf(pipeline, cluster, workdir) }));
  const found = known.find(({ tasks }) => tasks.includes(name));
  if (found) return found.pipeline;
  throw fail('TASK_NOT_FOUND', { name, known: [...new Set(known.flatMap(({ tasks }) => tasks))].join(', ') });
}

function tasksOf(pipeline: Pipeline, cluster: Cluster, workdir: string): readonly string[] {
  const modules = modulesOf(pipeline, cluster);
  const assets = findAssets({
    cluster,
    workdir,
    modules,
    arches: assumedArches(cluster),
    credentials: {},
    offline: false,
  });
  return [...new Set(nodesOf(plan(pipeline, cluster, assets)).map(({ task }) => task.name))];
}
