import type { ArgumentSpec } from '../command.ts';
import { clusterHosts } from './cluster-hosts.ts';
import { pipelineOptions } from './pipeline.ts';

/** The nodes that a command changes. */
export const nodeArguments: readonly ArgumentSpec[] = [
  { name: 'NAME', summary: 'names of nodes', rest: true, complete: clusterHosts },
];

const { nodes: _, tags: __, skipTags: ___, ...options } = pipelineOptions;

/** The options of commands that change the nodes in their arguments. */
export const nodeChangeOptions = options;
