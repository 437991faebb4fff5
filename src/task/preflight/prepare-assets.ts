import { artifactResource, type ArtifactOptions } from '../../resource/artifacts.ts';
import { defineTask } from '../task.ts';

/** What is fetched, and how. */
export type Assets = ArtifactOptions;

export const prepareAssets = defineTask<Assets>({
  name: 'prepare-assets',
  title: 'Bring everything that the cluster needs to this machine',
  plan: (_, assets) => artifactResource(assets).ensure(),
});
