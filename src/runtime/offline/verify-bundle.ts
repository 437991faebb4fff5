import { namesOf } from '../../resource/bundle/contents.ts';
import type { BundleIndex } from '../../resource/bundle/bundle-index.ts';
import { trustKey } from '../../resource/bundle/keys.ts';
import { openBundleFile, type Packing } from '../../resource/bundle/compression.ts';
import { fingerprint } from '../../resource/bundle/sign.ts';
import type { OpenBundle } from '../../resource/bundle/open.ts';
import { contentProblems, type OnFile } from '../../resource/bundle/verify.ts';
import { openCache } from '../../resource/cache/cache.ts';
import { fail } from '../../common/errors/errors.ts';
import type { ReportProgress } from '../../common/progress.ts';
import { trustedSigner } from './trusted-signer.ts';
import { findZstd } from './zstd.ts';

/** What is asked when a bundle is looked at. */
export interface VerifyOptions {
  /** The key it must be signed with: a fingerprint or a file. From then on it is trusted. */
  readonly key: string | undefined;
  /** The bundle that has the rest. */
  readonly base: string | undefined;
  readonly progress: ReportProgress;
}

/** A bundle that is what was packaged. */
export interface Verified {
  readonly index: BundleIndex;
  readonly key: string;
}

/** Reads every byte of a bundle; throws with all that is wrong. */
export async function verifyBundle(path: string, { key, base, progress }: VerifyOptions): Promise<Verified> {
  const zstd = await findZstd();
  await using bundle = await openBundleFile(path, zstd);
  const problems = [
    ...(await contentProblems(bundle, reading(bundle, progress))),
    ...(await baseProblems(bundle.index, base, zstd, progress)),
  ];
  if (problems.length > 0) {
    const unsigned = bundle.signer ? [] : ['signature.json: it is not a signature of the index'];
    throw fail('BUNDLE_DAMAGED', { path, problems: [...unsigned, ...problems].join('\n') });
  }
  const signer = await trustedSigner(bundle, key);
  if (key !== undefined) await trustKey(signer);
  return { index: bundle.index, key: fingerprint(signer) };
}

/** How far it is, in megabytes. */
function reading({ path, index }: OpenBundle, progress: ReportProgress): OnFile {
  const total = Math.ceil(index.content.reduce((all, { size }) => all + size, 0) / 1e6);
  return (detail, read) => progress({ task: `Reading ${path}`, detail, done: Math.floor(read / 1e6), total });
}

/** What a delta needs and neither its base nor the cache has. */
async function baseProblems(
  { elsewhere, ...index }: BundleIndex,
  base: string | undefined,
  zstd: Packing | undefined,
  progress: ReportProgress,
): Promise<readonly string[]> {
  if (elsewhere.length === 0) return [];
  const names = namesOf({ ...index, elsewhere });
  const there = new Set<string>();
  const problems: string[] = [];
  if (base !== undefined) {
    await using bundle = await openBundleFile(base, zstd);
    problems.push(
      ...(await contentProblems(bundle, reading(bundle, progress))).map((problem) => `${base}: ${problem}`),
    );
    for (const { sha256 } of bundle.index.content) there.add(sha256);
  }
  const cache = openCache();
  const missing = new Set<string>();
  for (const { sha256 } of elsewhere)
    if (!there.has(sha256) && !(await cache.find(sha256))) missing.add(names.get(sha256) ?? sha256);
  const list = [...missing].join(', ');
  return missing.size === 0 ? problems : [...problems, `it needs its base, which --base names, for ${list}`];
}
