import type { Host, Hosts } from '../common/host.ts';
import type { Cluster } from '../config/model/cluster.ts';
import type { PlanFragment } from '../plan/fragment.ts';

/** What a task may plan by. */
export interface TaskContext {
  readonly cluster: Cluster;
  readonly hosts: Hosts;
  /** The machine kubexm runs on. */
  readonly local: Host;
}

/** A goal on some hosts: which steps, where, in which order. It holds no business logic of its own. */
export interface Task<Input = void> {
  /** What users write: "prepare-os". */
  readonly name: string;
  readonly title: string;
  plan(ctx: TaskContext, input: Input): PlanFragment;
}

export const defineTask = <Input = void>(task: Task<Input>): Task<Input> => Object.freeze(task);
