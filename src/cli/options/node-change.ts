import type { ArgumentSpec } from '../command.ts';
import { clusterHosts } from './cluster-hosts.ts';
import { pipelineOptions } from './pipeline.ts';

/** The arguments for the nodes to change. */
export const nodeArguments: readonly ArgumentSpec[] = [
  { name: 'NAME', summary: 'names of nodes', rest: true, complete: clusterHosts },
];

const { nodes: _, tags: __, skipTags: ___, ...options } = pipelineOptions;

/** Options for commands that change nodes. */
export const nodeChangeOptions = options;
