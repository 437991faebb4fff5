import { checkClusterFile } from '../../config/load.ts';
import type { Diagnostic } from '../../config/diagnostic.ts';
import { placeOf } from '../cluster-options.ts';
import type { PipelineCall } from '../run/pipeline.ts';

/** What is to be said of the cluster file of a call. */
export async function lintOf({
  options,
  global,
}: Pick<PipelineCall, 'options' | 'global'>): Promise<readonly Diagnostic[]> {
  const { file } = await placeOf(options, global);
  return (await checkClusterFile(file, { overrides: options.extraVars })).diagnostics;
}
