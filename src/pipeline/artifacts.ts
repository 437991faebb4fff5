import { packageModule, prepareAssetsModule } from '../module/preflight.ts';
import { definePipeline, type Pipeline } from './pipeline.ts';

export const downloadArtifactsPipeline: Pipeline = definePipeline({
  name: 'download-artifacts',
  command: 'download artifacts',
  title: 'Download the artifacts of a cluster',
  plan: ({ module }) => module(prepareAssetsModule),
});

export const packageOfflinePipeline = (packaging: Parameters<typeof packageModule>[0]): Pipeline =>
  definePipeline({
    name: 'package-offline',
    command: 'offline package',
    title: 'Package the artifacts of a cluster into an offline bundle',
    plan: ({ module }) => module(packageModule(packaging)),
  });
