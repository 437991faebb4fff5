import { contentTitles } from '../../resource/bundle/contents.ts';
import type { BundleIndex } from '../../resource/bundle/bundle-index.ts';
import { trustKey } from '../../resource/bundle/keys.ts';
import type { Compression } from '../../resource/bundle/compression.ts';
import { fingerprint } from '../../resource/bundle/sign.ts';
import { openBundleFile, type OpenBundle } from '../../resource/bundle/open.ts';
import { contentProblems, type OnFile } from '../../resource/bundle/verify.ts';
import { openCache } from '../../resource/cache/cache.ts';
import { fail } from '../../common/errors/errors.ts';
import type { ReportProgress } from '../../common/progress.ts';
import { trustedSigner } from './trusted-signer.ts';
import { findZstd } from './zstd.ts';

/** Options for verifying a bundle. */
export interface VerifyOptions {
  /** Fingerprint or file of the expected key, which is trusted from then on. */
  readonly key: string | undefined;
  /** The base of a delta bundle. */
  readonly base: string | undefined;
  readonly progress: ReportProgress;
}

/** A verified bundle. */
export interface VerifiedBundle {
  readonly index: BundleIndex;
  readonly key: string;
}

/** Verifies the content and the signature of a bundle. Throws an error that lists all problems. */
export async function verifyBundle(path: string, { key, base, progress }: VerifyOptions): Promise<VerifiedBundle> {
  const zstd = await findZstd();
  await using bundle = await openBundleFile(path, zstd);
  const problems = [
    ...(await contentProblems(bundle, readProgress(bundle, progress))),
    ...(await baseProblems(bundle.index, base, zstd, progress)),
  ];
  if (problems.length > 0) {
    const unsigned = bundle.signer ? [] : ['signature.json: does not match the index'];
    throw fail('BUNDLE_DAMAGED', { path, problems: [...unsigned, ...problems].join('\n') });
  }
  const signer = await trustedSigner(bundle, key);
  if (key !== undefined) await trustKey(signer);
  return { index: bundle.index, key: fingerprint(signer) };
}

/** Reports progress in megabytes. */
function readProgress({ path, index }: OpenBundle, progress: ReportProgress): OnFile {
  const total = Math.ceil(index.content.reduce((all, { size }) => all + size, 0) / 1e6);
  return (detail, read) => progress({ task: `Reading ${path}`, detail, done: Math.floor(read / 1e6), total });
}

/** Content that a delta bundle needs but that is neither in its base nor in the cache. */
async function baseProblems(
  { elsewhere, ...index }: BundleIndex,
  base: string | undefined,
  zstd: Compression | undefined,
  progress: ReportProgress,
): Promise<readonly string[]> {
  if (elsewhere.length === 0) return [];
  const names = contentTitles({ ...index, elsewhere });
  const inBase = new Set<string>();
  const problems: string[] = [];
  if (base !== undefined) {
    await using bundle = await openBundleFile(base, zstd);
    problems.push(
      ...(await contentProblems(bundle, readProgress(bundle, progress))).map((problem) => `${base}: ${problem}`),
    );
    for (const { sha256 } of bundle.index.content) inBase.add(sha256);
  }
  const cache = openCache();
  const missing = new Set<string>();
  for (const { sha256 } of elsewhere)
    if (!inBase.has(sha256) && !(await cache.find(sha256))) missing.add(names.get(sha256) ?? sha256);
  const list = [...missing].join(', ');
  return missing.size === 0
    ? problems
    : [...problems, `missing from the base bundle and the cache: ${list} (pass the base bundle with --base)`];
}
