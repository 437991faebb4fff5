import { diffBundles, type BundleDiff } from '../../resource/bundle/diff.ts';
import { openBundleFile } from '../../resource/bundle/open.ts';
import { findZstd } from './zstd.ts';

/** Compares two bundles by their indexes. */
export async function diffBundleFiles(a: string, b: string): Promise<BundleDiff> {
  const zstd = await findZstd();
  await using before = await openBundleFile(a, zstd);
  await using after = await openBundleFile(b, zstd);
  return diffBundles(before.index, after.index);
}
