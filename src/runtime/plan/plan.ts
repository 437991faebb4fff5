import { LOCAL, type Hosts } from '../../common/host.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import type { Module, PlanTask } from '../../module/module.ts';
import type { Pipeline, Scope } from '../../pipeline/pipeline.ts';
import { empty, scope, type PlanFragment } from '../../plan/fragment.ts';
import type { ExecutionGraph } from '../../plan/graph.ts';
import { toGraph } from '../../plan/to-graph.ts';
import type { Assets } from '../../resource/assets.ts';
import type { Task, TaskContext } from '../../task/task.ts';
import { noAssets } from './find-assets.ts';
import { scopedHosts } from './scoped-hosts.ts';

/** A planned pipeline. */
export interface PipelinePlan {
  readonly graph: ExecutionGraph;
  /** Its tasks by path: "etcd/install-etcd". */
  readonly tasks: ReadonlyMap<string, PlannedTask>;
}

/** The declared properties of a task, and the hosts of each scope that it is planned for. */
export interface PlannedTask extends Pick<Task, 'needs' | 'reports'> {
  readonly hosts: readonly Hosts[];
}

/** Pure: the same input always gives the same plan. A pipeline that only removes things needs no assets. */
export function planPipeline(pipeline: Pipeline, cluster: Cluster, assets: Assets = noAssets(cluster)): PipelinePlan {
  const tasks = new Map<string, PlannedTask>();
  const taskPlanner = (module: Module, ctx: TaskContext): PlanTask => {
    function task(task: Task): PlanFragment;
    function task<Input>(task: Task<Input>, input: Input): PlanFragment;
    function task<Input>(task: Task<Input | undefined>, input?: Input): PlanFragment {
      const path = `${module.name}/${task.name}`;
      tasks.set(path, { ...task, hosts: [...(tasks.get(path)?.hosts ?? []), ctx.hosts] });
      return scope(task.name, task.plan(ctx, input), task.title);
    }
    return task;
  };
  const planModule = (module: Module, part?: Scope): PlanFragment => {
    const ctx: TaskContext = {
      cluster: part?.cluster ?? cluster,
      assets,
      hosts: scopedHosts(cluster, part),
      local: LOCAL,
    };
    const fragment = module.plan({ cluster: ctx.cluster, task: taskPlanner(module, ctx) });
    return scope(module.name, fragment, module.title);
  };
  const fragment = pipeline.plan({ cluster, module: planModule });
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
