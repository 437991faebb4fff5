import { cordonNodesModule, drainNodesModule, uncordonNodesModule, type DrainInput } from '../../module/node-drain.ts';
import type { Module } from '../../module/module.ts';
import { definePipeline, type Pipeline } from '../pipeline.ts';

export type { DrainInput };

/** Nodes, and a running master through which they are changed. */
export interface NodesThrough {
  readonly nodes: readonly string[];
  readonly master: string;
}

export const cordonNodesPipeline = (through: NodesThrough): Pipeline =>
  throughMaster('cordon-node', 'cordon node', 'Cordon nodes', through, cordonNodesModule(through.nodes));

export const uncordonNodesPipeline = (through: NodesThrough): Pipeline =>
  throughMaster('uncordon-node', 'uncordon node', 'Uncordon nodes', through, uncordonNodesModule(through.nodes));

export const drainNodesPipeline = (through: NodesThrough, options: DrainInput['options']): Pipeline =>
  throughMaster(
    'drain-node',
    'drain node',
    'Drain nodes',
    through,
    drainNodesModule({ nodes: through.nodes, mustExist: true, options }),
  );

const throughMaster = (name: string, command: string, title: string, { master }: NodesThrough, run: Module): Pipeline =>
  definePipeline({
    name,
    command,
    title,
    plan: ({ cluster, module }) => module(run, { cluster, hosts: [], master }),
  });
