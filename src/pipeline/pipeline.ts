import type { Cluster } from '../config/model/cluster.ts';
import type { Module } from '../module/module.ts';
import type { PlanFragment } from '../plan/fragment.ts';

/** What a pipeline may plan with: modules only. */
export interface PipelineContext {
  readonly cluster: Cluster;
  /** Plans a module, under its own name. */
  readonly module: (module: Module) => PlanFragment;
}

/** What one command of the user means, made of modules. */
export interface Pipeline {
  /** What journals and logs have: "create-cluster". */
  readonly name: string;
  /** What users call it by: "create cluster". */
  readonly command: string;
  readonly title: string;
  plan(ctx: PipelineContext): PlanFragment;
}

export const definePipeline = (pipeline: Pipeline): Pipeline => Object.freeze(pipeline);
