import { LOCAL } from '../../common/host.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import type { Module, PlanTask } from '../../module/module.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import { empty, scope, type PlanFragment } from '../../plan/fragment.ts';
import { toGraph, type ExecutionGraph } from '../../plan/graph.ts';
import type { Assets } from '../../resource/assets.ts';
import type { Task, TaskContext } from '../../task/task.ts';
import { hostsOf } from '../session/hosts.ts';
import { noAssets } from './find-assets.ts';

/** A planned pipeline. */
export interface PipelinePlan {
  readonly graph: ExecutionGraph;
  /** Its tasks by path: "etcd/install-etcd". */
  readonly tasks: ReadonlyMap<string, PlannedTask>;
}

/** The declared properties of a task. */
export type PlannedTask = Pick<Task, 'needs' | 'reports'>;

/** Pure: the same input always gives the same plan. A pipeline that only removes things needs no assets. */
export function planPipeline(pipeline: Pipeline, cluster: Cluster, assets: Assets = noAssets(cluster)): PipelinePlan {
  const ctx: TaskContext = { cluster, assets, hosts: hostsOf(cluster), local: LOCAL };
  const tasks = new Map<string, PlannedTask>();
  const taskPlanner = (module: Module): PlanTask => {
    function task(task: Task): PlanFragment;
    function task<Input>(task: Task<Input>, input: Input): PlanFragment;
    function task<Input>(task: Task<Input | undefined>, input?: Input): PlanFragment {
      tasks.set(`${module.name}/${task.name}`, task);
      return scope(task.name, task.plan(ctx, input), task.title);
    }
    return task;
  };
  const fragment = pipeline.plan({
    cluster,
    module: (module) => scope(module.name, module.plan({ cluster, task: taskPlanner(module) }), module.title),
  });
  return { graph: toGraph(pipeline.name, fragment), tasks };
}

export const plan = (pipeline: Pipeline, cluster: Cluster, assets?: Assets): ExecutionGraph =>
  planPipeline(pipeline, cluster, assets).graph;

/** The modules of a pipeline for this cluster; their tasks are not planned. */
export function modulesOf(pipeline: Pipeline, cluster: Cluster): readonly Module[] {
  const modules: Module[] = [];
  pipeline.plan({
    cluster,
    module: (module) => {
      modules.push(module);
      return empty;
    },
  });
  return modules;
}
