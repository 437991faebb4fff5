import { LOCAL } from '../../common/host.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import type { ModuleContext } from '../../module/module.ts';
import type { Pipeline, PipelineContext } from '../../pipeline/pipeline.ts';
import { scope, type PlanFragment } from '../../plan/fragment.ts';
import { toGraph, type ExecutionGraph } from '../../plan/graph.ts';
import type { Task, TaskContext } from '../../task/task.ts';
import { hostsOf } from '../session/hosts.ts';

/** Pure: the same cluster always gives the same graph. */
export function plan(pipeline: Pipeline, cluster: Cluster): ExecutionGraph {
  const tasks: TaskContext = { cluster, hosts: hostsOf(cluster), local: LOCAL };
  function task(task: Task): PlanFragment;
  function task<Input>(task: Task<Input>, input: Input): PlanFragment;
  function task<Input>(task: Task<Input | undefined>, input?: Input): PlanFragment {
    return scope(task.name, task.plan(tasks, input));
  }
  const modules: ModuleContext = { cluster, task };
  const pipelines: PipelineContext = { cluster, module: (module) => scope(module.name, module.plan(modules)) };
  return toGraph(pipeline.name, pipeline.plan(pipelines));
}
