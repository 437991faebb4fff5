import type { Assets } from '../../resource/assets.ts';
import { readChart } from '../../resource/chart.ts';
import { cachedFile } from '../transfer/cached-file.ts';
import type { Chart } from './helm-release.ts';
import type { StepView } from '../contract/part.ts';

/** Returns a chart of the catalog, or undefined while it is not in the cache. */
export function catalogChart(assets: Assets, name: string, view: StepView): () => Promise<Chart | undefined> {
  const file = cachedFile(assets, name, view);
  return async () => {
    const found = await file.find();
    return found && { ...found.blob, ...(await readChart(found.blob.path)) };
  };
}
