import type { Host, Hosts } from '../common/host.ts';
import type { Cluster } from '../config/model/cluster.ts';
import type { PlanFragment } from '../plan/fragment.ts';
import type { Assets } from '../resource/assets.ts';

/** The input for planning a task. */
export interface TaskContext {
  readonly cluster: Cluster;
  readonly assets: Assets;
  readonly hosts: TaskHosts;
  /** The machine that kubexm runs on. */
  readonly local: Host;
}

/** The hosts that tasks act on: all hosts of the cluster, or those of a scope. */
export interface TaskHosts extends Hosts {
  /** The master that other nodes join: the first one of the cluster file, or a running one, which may be outside the scope. */
  readonly firstMaster: Host | undefined;
}

/** A goal on some hosts: which steps run where, in which order. It contains no logic of its own. */
export interface Task<Input = void> {
  /** The name that users type: "prepare-os". */
  readonly name: string;
  readonly title: string;
  /** What must be looked up before the task is planned; nothing by default. */
  readonly needs?: TaskNeeds;
  /** A step whose messages are shown again after the run. */
  readonly reports?: string;
  plan(ctx: TaskContext, input: Input): PlanFragment;
}

/** Assets that are not in the cluster file. They are looked up only if a task that needs them is selected. */
export interface TaskNeeds {
  /** `downloads`, which depend on the architectures of the hosts. */
  readonly architectures?: boolean;
  /** `credentials`, whose passwords come from the environment or from files. */
  readonly registryLogins?: boolean;
  /** `bgpPasswords`, which come from the environment or from files. */
  readonly bgpPasswords?: boolean;
}

export const defineTask = <Input = void>(task: Task<Input>): Task<Input> => Object.freeze(task);
