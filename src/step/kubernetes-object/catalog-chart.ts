import { readChart } from '../../resource/chart.ts';
import { cachedFile } from '../transfer/cached-file.ts';
import type { Chart } from './helm-release.ts';
import type { Programs } from '../transfer/install-program.ts';
import type { StepView } from '../contract/step.ts';

/** A chart of the catalog, once it is in the cache. */
export function catalogChart(programs: Programs, name: string, view: StepView): () => Promise<Chart | undefined> {
  const file = cachedFile(programs, name, view);
  return async () => {
    const found = await file.find();
    return found && { ...found.blob, ...(await readChart(found.blob.path)) };
  };
}
