import { join } from 'node:path';
import type { FileItem } from '../artifact/item.ts';
import { LOCAL } from '../common/host.ts';
import { empty, on } from '../plan/fragment.ts';
import { downloadArtifacts, type DownloadOptions } from '../step/artifact/download.ts';
import type { ResourceHandle } from './resource.ts';

/** Files of the catalog, in the folder of the cluster. */
export const artifactFiles = (options: DownloadOptions): ResourceHandle =>
  Object.freeze<ResourceHandle>({
    files: options.files.map(({ name, path }: FileItem) => ({ name, path: join(options.folder, path) })),
    ensure: () => (options.files.length === 0 ? empty : on(LOCAL, downloadArtifacts(options))),
  });
