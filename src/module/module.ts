import type { Family } from '../common/component-family.ts';
import type { Cluster } from '../config/model/cluster.ts';
import type { PlanFragment } from '../plan/fragment.ts';
import type { Task } from '../task/task.ts';

/** What a module plans with: tasks only. */
export interface ModuleContext {
  readonly cluster: Cluster;
  /** Plans a task under its own name. */
  readonly task: PlanTask;
}

/** Plans a task with the input that it needs, if any. */
export interface PlanTask {
  (task: Task): PlanFragment;
  <Input>(task: Task<Input>, input: Input): PlanFragment;
}

/** One domain of the cluster, made of tasks. Decisions that depend on the cluster file are made here. */
export interface Module {
  readonly name: string;
  readonly title: string;
  /** The components that it installs: their files and images are downloaded. */
  readonly installs?: readonly Family[];
  /** Further components whose images are downloaded. */
  readonly pushes?: readonly Family[];
  plan(ctx: ModuleContext): PlanFragment;
}

export const defineModule = (module: Module): Module => Object.freeze(module);
