import type { Pipeline } from '../../pipeline/pipeline.ts';
import type { NodesThrough } from '../../pipeline/nodes/drain.ts';
import { abortOnInterrupt } from '../interrupts.ts';
import type { PipelineOptionValues } from '../options/pipeline.ts';
import { runPipeline, type PipelineCall } from './run-pipeline.ts';

/** An invocation of a command that changes the nodes in its arguments. */
export interface NodesCall extends Omit<PipelineCall, 'options'> {
  readonly args: readonly string[];
  readonly options: Omit<PipelineOptionValues, 'nodes' | 'tags' | 'skipTags'>;
}

/** Runs a pipeline on nodes through a master whose API server is ready. Does not connect to the nodes themselves. */
export const changeNodes = (call: NodesCall, pipelineFor: (through: NodesThrough) => Pipeline): Promise<number> =>
  runPipeline({ ...call, options: { ...call.options, nodes: [], tags: [], skipTags: [] } }, async (_, open) => {
    const { api } = await open();
    const nodes = [...new Set(call.args)];
    const master = await abortOnInterrupt((signal) => api.master({ signal }));
    return { pipeline: pipelineFor({ nodes, master }), selection: nodes.toSorted().join(' ') };
  });
