import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, KubexmError } from '../../common/errors/errors.ts';
import { ensureFolder } from '../../util/ensure-folder.ts';
import type { TarFile } from '../../util/read-tar.ts';
import { withCacheLock, type ArtifactCache } from '../cache/cache.ts';
import type { FileHash } from '../cache/hash.ts';
import { readChecksumRecord, writeChecksumRecord } from '../cache/checksum-record.ts';
import type { TransferContext } from '../download/fetch-content.ts';
import { readImageRecord, writeImageRecord, type StoredImage } from '../oci/image-store.ts';
import { bundleOrigin } from '../trust.ts';
import { isBlob, type BundleIndex } from './bundle-index.ts';
import { contentTitles, entryProblem, indexProblems } from './contents.ts';
import { checkContradictions } from './contradictions.ts';
import { unreadableBundle, type OpenBundle } from './open.ts';
import { writePackageRecord } from './system-packages.ts';

/** Loads a trusted bundle into the cache. Verifies every blob, and writes records only after all content is present. */
export async function loadBundle(cache: ArtifactCache, bundle: OpenBundle, ctx: TransferContext): Promise<void> {
  const problems = indexProblems(bundle.index);
  if (problems.length > 0) throw fail('BUNDLE_DAMAGED', { path: bundle.path, problems: problems.join('\n') });
  await checkContradictions(cache, bundle);
  await withCacheLock(cache, 'a bundle', () => loadContent(cache, bundle, ctx), ctx);
  await checkComplete(cache, bundle);
  await writeRecords(cache, bundle.index);
}

async function loadContent(
  cache: ArtifactCache,
  { path, index, files }: OpenBundle,
  ctx: TransferContext,
): Promise<void> {
  const folder = join(cache.folder, 'loading');
  const remaining = new Map(index.content.map((one) => [one.path, one]));
  const titles = contentTitles(index);
  await rm(folder, { recursive: true, force: true });
  await ensureFolder(folder, 0o700);
  try {
    for await (const file of files) {
      if (ctx.signal.aborted) throw fail('INTERRUPTED', {});
      const expected = remaining.get(file.path);
      remaining.delete(file.path);
      // Checks the size before writing, because only the index is signed and the archive may claim any size.
      const problem = entryProblem(file, expected, titles);
      if (problem !== undefined) throw fail('BUNDLE_DAMAGED', { path, problems: problem });
      if (!expected || !isBlob(expected) || (await cache.find(expected.sha256))) continue;
      const title = titles.get(expected.sha256);
      ctx.say(title ?? expected.sha256);
      const temporary = join(folder, expected.sha256);
      const hash = await writeHashed(temporary, file);
      if (hash.sha256 !== expected.sha256) {
        const problem = `checksum is ${hash.sha256}, expected ${expected.sha256}`;
        throw fail('BUNDLE_DAMAGED', { path, problems: `${file.path} (${title ?? ''}): ${problem}` });
      }
      await cache.add(temporary, hash);
    }
  } catch (error) {
    throw error instanceof KubexmError ? error : unreadableBundle(path, error);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeHashed(path: string, { content, size }: TarFile): Promise<FileHash> {
  const hash = createHash('sha256');
  await using target = await open(path, 'wx', 0o600);
  for await (const part of content) {
    hash.update(part);
    await target.writeFile(part);
  }
  await target.sync();
  return { sha256: hash.digest('hex'), size };
}

async function checkComplete(cache: ArtifactCache, { path, index }: OpenBundle): Promise<void> {
  const titles = contentTitles(index);
  const missing = new Set<string>();
  for (const { sha256 } of [...index.content, ...index.elsewhere].filter(isBlob))
    if (!(await cache.find(sha256))) missing.add(titles.get(sha256) ?? sha256);
  if (missing.size === 0) return;
  const list = [...missing].join(', ');
  if (!index.base) throw fail('BUNDLE_DAMAGED', { path, problems: `missing from the archive: ${list}` });
  const base = `${index.base.cluster}, Kubernetes ${index.base.kubernetes}`;
  throw fail('BUNDLE_BASE_MISSING', { path, base, missing: list });
}

async function writeRecords(cache: ArtifactCache, { files, images, systems, cluster }: BundleIndex): Promise<void> {
  const from = bundleOrigin(cluster);
  for (const { url, sha256, size, own } of files)
    if (!own && !(await readChecksumRecord(cache.folder, url)))
      await writeChecksumRecord(cache.folder, url, { sha256, size, from });
  for (const image of images) await writeImageRecord(cache, await mergedRecord(cache, { ...image, from }));
  for (const system of systems) await writePackageRecord(cache, system);
}

/** Merges image records. A record with the same digest keeps its origin and its other architectures. */
async function mergedRecord(cache: ArtifactCache, { ref, digest, from, manifests }: StoredImage): Promise<StoredImage> {
  const known = await readImageRecord(cache, ref);
  if (known?.digest !== digest) return { ref, digest, from, manifests };
  const others = known.manifests.filter(({ arch }) => manifests.every((one) => one.arch !== arch));
  return { ...known, manifests: [...manifests, ...others] };
}
