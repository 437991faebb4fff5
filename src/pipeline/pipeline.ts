import type { Cluster } from '../config/model/cluster.ts';
import type { Module } from '../module/module.ts';
import type { PlanFragment } from '../plan/fragment.ts';

/** The input for planning a pipeline, which consists of modules only. */
export interface PipelineContext {
  readonly cluster: Cluster;
  /** Plans a module under its own name. */
  readonly module: (module: Module) => PlanFragment;
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
