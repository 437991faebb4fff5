import { join } from 'node:path';
import { LOCAL } from '../common/host.ts';
import { empty, on, sequence } from '../plan/fragment.ts';
import { downloadArtifacts, type DownloadOptions } from '../step/artifact/download.ts';
import { pullImages, type PullOptions } from '../step/artifact/pull-images.ts';
import type { ResourceHandle } from './resource.ts';

/** What of the catalog is wanted, and how to get at it. */
export type ArtifactOptions = DownloadOptions & PullOptions;

/** Files of the catalog in the folder of the cluster, and images of it in the cache. */
export const artifactResource = (options: ArtifactOptions): ResourceHandle =>
  Object.freeze<ResourceHandle>({
    files: options.files.map(({ name, path }) => ({ name, path: join(options.folder, path) })),
    ensure: () =>
      sequence(
        options.files.length === 0 ? empty : on(LOCAL, downloadArtifacts(options)),
        options.images.length === 0 ? empty : on(LOCAL, pullImages(options)),
      ),
  });
