import type { Cluster } from '../config/model/cluster.ts';
import type { PlanFragment } from '../plan/fragment.ts';
import type { Task } from '../task/task.ts';

/** What a module may plan with: tasks only. */
export interface ModuleContext {
  readonly cluster: Cluster;
  /** Plans a task, under its own name. */
  readonly task: PlanTask;
}

/** A task with what it asks for. */
export interface PlanTask {
  (task: Task): PlanFragment;
  <Input>(task: Task<Input>, input: Input): PlanFragment;
}

/** A domain of the cluster, made of tasks; here live the decisions over the config. */
export interface Module {
  readonly name: string;
  readonly title: string;
  plan(ctx: ModuleContext): PlanFragment;
}

export const defineModule = (module: Module): Module => Object.freeze(module);
