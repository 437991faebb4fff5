import { assetsModule } from '../../module/preflight/assets.ts';
import { definePipeline, type Pipeline } from '../pipeline.ts';

/** For a cluster whose hosts are known: what they need, and nothing else. */
export const downloadPipeline = (assets: Parameters<typeof assetsModule>[0]): Pipeline =>
  definePipeline({
    name: 'download-artifacts',
    command: 'download artifacts',
    title: 'Download everything that a cluster needs',
    plan: ({ module }) => module(assetsModule(assets)),
  });
