import { artifactResource, type ArtifactOptions } from '../artifacts.ts';
import { defineTask } from '../task.ts';

/** What a cluster is made from, for any architecture, and what of it is fetched. */
export interface Assets extends ArtifactOptions {
  readonly fetch: Pick<ArtifactOptions, 'files' | 'images'>;
}

export const prepareAssets = defineTask<Assets>({
  name: 'prepare-assets',
  title: 'Bring everything that the cluster needs to this machine',
  plan: (_, assets) => artifactResource({ ...assets, ...assets.fetch }).ensure(),
});
