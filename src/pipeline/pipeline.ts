import type { Cluster } from '../config/model/cluster.ts';
import type { Module } from '../module/module.ts';
import type { PlanFragment } from '../plan/fragment.ts';

/** The input for planning a pipeline, which consists of modules only. */
export interface PipelineContext {
  readonly cluster: Cluster;
  /** Plans a module under its own name, for the whole cluster unless a scope is given. */
  readonly module: (module: Module, scope?: Scope) => PlanFragment;
}

/** The part of an existing cluster that a module acts on. Hosts outside of it are not connected to. */
export interface Scope {
  /** A whole cluster: the one after the operation for hosts that stay or join, the one before it for hosts that leave. */
  readonly cluster: Cluster;
  /** The names of the hosts that the module acts on. */
  readonly hosts: readonly string[];
  /** A running master through which the others are reached; it need not be one of the hosts. */
  readonly master: string;
}

/** The modules that one command runs. */
export interface Pipeline {
  /** The name in journals and logs: "create-cluster". */
  readonly name: string;
  /** The command that users type: "create cluster". */
  readonly command: string;
  readonly title: string;
  plan(ctx: PipelineContext): PlanFragment;
}

export const definePipeline = (pipeline: Pipeline): Pipeline => Object.freeze(pipeline);
