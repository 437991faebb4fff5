import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, KubexmError } from '../../common/errors/errors.ts';
import { ensureFolder } from '../../util/ensure-folder.ts';
import type { TarFile } from '../../util/read-tar.ts';
import { aloneWith, type ArtifactCache } from '../cache/cache.ts';
import type { Hashed } from '../cache/hash.ts';
import { memorise, recall } from '../cache/checksum-record.ts';
import type { Watch } from '../download/fetch-content.ts';
import { fileTitle } from '../item.ts';
import { storeImage } from '../oci/image-store.ts';
import { isBlob, type BundleIndex } from './bundle-index.ts';
import { indexProblems, namesOf } from './contents.ts';
import { unreadable, type OpenBundle } from './open.ts';
import { storePackages } from './system-packages.ts';

/** Brings all that a trusted bundle holds into the cache: every byte is summed, and nothing is told of it before all is there. */
export async function loadBundle(cache: ArtifactCache, bundle: OpenBundle, watch: Watch): Promise<void> {
  const problems = indexProblems(bundle.index);
  if (problems.length > 0) throw fail('BUNDLE_DAMAGED', { path: bundle.path, problems: problems.join('\n') });
  await checkSums(cache, bundle);
  await aloneWith(cache, 'a bundle', () => loadContent(cache, bundle, watch), watch);
  await checkWhole(cache, bundle);
  await record(cache, bundle.index);
}

/** What was once learnt of a file from its publisher is not replaced by what a bundle says. */
async function checkSums({ folder }: ArtifactCache, { path, index }: OpenBundle): Promise<void> {
  for (const file of index.files.filter(({ own }) => !own)) {
    const known = await recall(folder, file.url);
    if (known && known.sha256 !== file.sha256)
      throw fail('BUNDLE_CONTRADICTS', { path, item: fileTitle(file), url: file.url, from: known.from });
  }
}

async function loadContent(cache: ArtifactCache, { path, index, files }: OpenBundle, watch: Watch): Promise<void> {
  const folder = join(cache.folder, 'loading');
  const wanted = new Map(index.content.map((one) => [one.path, one]));
  const names = namesOf(index);
  await rm(folder, { recursive: true, force: true });
  await ensureFolder(folder, 0o700);
  try {
    for await (const file of files) {
      if (watch.signal.aborted) throw fail('INTERRUPTED', {});
      const one = wanted.get(file.path);
      if (!one) throw fail('BUNDLE_DAMAGED', { path, problems: `${file.path}: the index does not know it` });
      if (!isBlob(one) || (await cache.find(one.sha256))) continue;
      watch.say(names.get(one.sha256) ?? one.sha256);
      const beside = join(folder, one.sha256);
      const found = await writeSummed(beside, file);
      if (found.sha256 !== one.sha256)
        throw fail('BUNDLE_DAMAGED', {
          path,
          problems: `${file.path} (${names.get(one.sha256) ?? ''}): its sum is ${found.sha256}`,
        });
      await cache.admit(beside, found);
    }
  } catch (error) {
    throw error instanceof KubexmError ? error : unreadable(path, error);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeSummed(path: string, { content, size }: TarFile): Promise<Hashed> {
  const hash = createHash('sha256');
  await using target = await open(path, 'wx', 0o600);
  for await (const part of content) {
    hash.update(part);
    await target.writeFile(part);
  }
  await target.sync();
  return { sha256: hash.digest('hex'), size };
}

async function checkWhole(cache: ArtifactCache, { path, index }: OpenBundle): Promise<void> {
  const names = namesOf(index);
  const missing = new Set<string>();
  for (const { sha256 } of [...index.content, ...index.elsewhere].filter(isBlob))
    if (!(await cache.find(sha256))) missing.add(names.get(sha256) ?? sha256);
  if (missing.size === 0) return;
  const list = [...missing].join(', ');
  if (!index.base) throw fail('BUNDLE_DAMAGED', { path, problems: `it should have ${list}` });
  const base = `${index.base.cluster}, Kubernetes ${index.base.kubernetes}`;
  throw fail('BUNDLE_BASE_MISSING', { path, base, missing: list });
}

async function record(cache: ArtifactCache, { files, images, systems, cluster }: BundleIndex): Promise<void> {
  const from = `the bundle of ${cluster}`;
  for (const { url, sha256, size, own } of files)
    if (!own && !(await recall(cache.folder, url))) await memorise(cache.folder, url, { sha256, size, from });
  for (const { ref, digest, manifests } of images) await storeImage(cache, { ref, digest, from, manifests });
  for (const system of systems) await storePackages(cache, system);
}
