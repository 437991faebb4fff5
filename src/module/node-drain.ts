import { empty } from '../plan/fragment.ts';
import { cordonNode, drainNode, uncordonNode, type DrainInput } from '../task/kubernetes/drain.ts';
import { defineModule, type Module } from './module.ts';

export type { DrainInput };

const kubernetes = 'kubernetes';

/** Runs through the master of the scope; the nodes themselves are not connected to. */
export const cordonNodesModule = (nodes: readonly string[]): Module =>
  defineModule({
    name: kubernetes,
    title: 'Cordon nodes',
    plan: ({ task }) => task(cordonNode, { nodes, mustExist: true }),
  });

export const uncordonNodesModule = (nodes: readonly string[]): Module =>
  defineModule({
    name: kubernetes,
    title: 'Uncordon nodes',
    plan: ({ task }) => task(uncordonNode, { nodes, mustExist: true }),
  });

export const drainNodesModule = (input: DrainInput): Module =>
  defineModule({
    name: kubernetes,
    title: 'Drain nodes',
    plan: ({ task }) => (input.nodes.length === 0 ? empty : task(drainNode, input)),
  });
