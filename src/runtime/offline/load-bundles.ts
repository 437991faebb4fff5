import type { BundleIndex } from '../../resource/bundle/bundle-index.ts';
import { loadBundle } from '../../resource/bundle/load.ts';
import { openBundleFile } from '../../resource/bundle/open.ts';
import { openCache } from '../../resource/cache/cache.ts';
import type { ReportProgress } from '../../common/progress.ts';
import { trustedSigner } from './trusted-signer.ts';
import { findZstd } from './zstd.ts';

/** Loads bundles signed with trusted keys into the cache, in the given order: base bundles first. */
export async function loadBundles(
  paths: readonly string[],
  progress: ReportProgress,
  signal: AbortSignal,
): Promise<readonly BundleIndex[]> {
  const zstd = paths.length === 0 ? undefined : await findZstd();
  const loaded: BundleIndex[] = [];
  for (const path of paths) {
    await using bundle = await openBundleFile(path, zstd);
    await trustedSigner(bundle, undefined);
    const say = (detail: string) => progress({ task: `Loading ${path}`, detail });
    say('reading');
    await loadBundle(openCache(), bundle, { signal, say });
    loaded.push(bundle.index);
  }
  return loaded;
}

/** Reads the indexes of bundles signed with trusted keys, without loading their content. */
export async function readBundles(paths: readonly string[]): Promise<readonly BundleIndex[]> {
  const zstd = await findZstd();
  const indexes: BundleIndex[] = [];
  for (const path of paths) {
    await using bundle = await openBundleFile(path, zstd);
    await trustedSigner(bundle, undefined);
    indexes.push(bundle.index);
  }
  return indexes;
}
