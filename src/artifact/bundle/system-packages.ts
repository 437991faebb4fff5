import { join } from 'node:path';
import type { Arch } from '../../common/host.ts';
import type { ArtifactCache } from '../cache/cache.ts';
import { readJson, writeJson } from '../cache/json-file.ts';
import { parsePackages, type SystemPackages } from './bundle-index.ts';

/** Remembers which packages of a system are in the cache. */
export const storePackages = (cache: ArtifactCache, system: SystemPackages): Promise<void> =>
  writeJson(recordPath(cache, system), system);

/** The packages of a system that came with a bundle; undefined when none did. */
export async function recallPackages(
  cache: ArtifactCache,
  system: { readonly id: string; readonly arch: Arch },
): Promise<SystemPackages | undefined> {
  return parsePackages(await readJson(recordPath(cache, system)));
}

const recordPath = ({ folder }: ArtifactCache, { id, arch }: { readonly id: string; readonly arch: Arch }) =>
  join(folder, 'packages', `${id}-${arch}.json`);
