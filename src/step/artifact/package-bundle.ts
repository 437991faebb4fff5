import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { composeBundle, type BundleInfo, type ComposedBundle } from '../../resource/bundle/compose.ts';
import { indexText, sha256Hex, type SystemPackages } from '../../resource/bundle/bundle-index.ts';
import { existingSigningKey, signingKey } from '../../resource/bundle/keys.ts';
import { compressionFor, type Compression } from '../../resource/bundle/compression.ts';
import { openBundleFile } from '../../resource/bundle/open.ts';
import { fingerprint } from '../../resource/bundle/sign.ts';
import { bundleTar } from '../../resource/bundle/write.ts';
import { openDownloader, type Downloader } from '../../resource/download/downloader.ts';
import { createProgressMeter } from '../../resource/download/progress-meter.ts';
import { knownChecksum } from '../../resource/download/expected-checksum.ts';
import { fileTitle, type FileItem, type ImageItem } from '../../resource/item.ts';
import { findImage } from '../../resource/oci/image-store.ts';
import { fail } from '../../common/errors/errors.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { withLock } from '../../util/process-lock.ts';
import { DONE } from '../contract/finding.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';

/** What is packaged, out of the cache, and where to. */
export interface BundleOptions extends BundleInfo {
  readonly path: string;
  readonly files: readonly FileItem[];
  readonly images: readonly ImageItem[];
  readonly systems: readonly SystemPackages[];
  readonly artifacts: Cluster['artifacts'];
  readonly zstd: Compression | undefined;
}

/** All that a cluster needs is in one signed file. */
export const packageBundle = (options: BundleOptions): Step =>
  defineStep({
    name: 'artifact.package',
    summary: `Package ${options.path}`,
    timeoutMs: THREE_HOURS,
    parts: () => [packagedBundle(options)],
  });

const THREE_HOURS = 3 * 3_600_000;

function packagedBundle(options: BundleOptions): GenericStep {
  const { path, zstd, artifacts } = options;
  return Object.freeze<GenericStep>({
    key: 'bundle:local',
    summary: `package ${path}`,
    async precheck() {
      await using downloader = await openDownloader(artifacts, { offline: true });
      const bundle = await compose(downloader, options);
      if ('missing' in bundle) return { done: false, because: `not here: ${bundle.missing.join(', ')}` };
      return (await isThere(options, bundle)) ? DONE : { done: false, because: `${path} is not a bundle of all this` };
    },
    async run(ctx) {
      await using downloader = await openDownloader(artifacts, { offline: true });
      const bundle = await compose(downloader, options);
      if ('missing' in bundle) throw fail('OFFLINE_MISSING', { item: bundle.missing.join(', '), url: 'elsewhere' });
      const packing = compressionFor(path, zstd);
      // One at a time writes beside the target; what a killed one left is written over.
      const lock = `bundle-${createHash('sha256').update(resolve(path)).digest('hex').slice(0, 32)}`;
      await withLock(lock, () => write(ctx, downloader, bundle, { path, packing }), { signal: ctx.signal });
    },
  });
}

/** What is to be in it, or what of that is not in the cache. */
async function compose(
  { cache, checksums }: Downloader,
  options: BundleOptions,
): Promise<ComposedBundle | { readonly missing: readonly string[] }> {
  const files = await Promise.all(
    options.files.map(async (item) => {
      const sum = await knownChecksum({ cache, checksums }, item);
      return { item, blob: sum && (await cache.find(sum.sha256)), own: sum?.fromUser ?? false };
    }),
  );
  const images = await Promise.all(
    options.images.map(async (item) => ({ item, found: await findImage(cache, item.ref, item.arches) })),
  );
  const packages = await Promise.all(
    options.systems
      .flatMap((system) => system.packages)
      .map(async (one) => ((await cache.find(one.sha256)) ? [] : [one.file])),
  );
  const missing = [
    ...files.flatMap(({ item, blob }) => (blob ? [] : [fileTitle(item)])),
    ...images.flatMap(({ item, found }) => (found ? [] : [item.ref])),
    ...packages.flat(),
  ];
  if (missing.length > 0) return { missing };
  return composeBundle(options, {
    files: files.flatMap(({ item, blob, own }) => (blob ? [{ item, blob, own }] : [])),
    images: images.flatMap(({ found }) => found ?? []),
    systems: options.systems,
  });
}

async function isThere({ path, zstd }: BundleOptions, { index }: ComposedBundle): Promise<boolean> {
  const [there, key] = await Promise.all([openBundleFile(path, zstd).catch(() => undefined), existingSigningKey()]);
  if (!there || !key) return false;
  await using bundle = there;
  const isOurs = bundle.signer !== undefined && fingerprint(bundle.signer) === fingerprint(key);
  return isOurs && bundle.id === sha256Hex(indexText(index));
}

async function write(
  ctx: StepContext,
  { cache }: Downloader,
  bundle: ComposedBundle,
  { path, packing }: { readonly path: string; readonly packing: Compression },
): Promise<void> {
  const beside = `${path}.partial`;
  const meter = createProgressMeter(path, (line) => ctx.say(line));
  const total = bundle.index.content.reduce((all, { size }) => all + size, 0);
  const tar = bundleTar(cache, bundle, await signingKey(), (sent) => meter.update(sent, total));
  try {
    await pipeline(packing.compress(tar), createWriteStream(beside, { mode: 0o644 }), { signal: ctx.signal });
    await using file = await open(beside, 'r+');
    await file.sync();
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    if (ctx.signal.aborted) throw fail('INTERRUPTED', {}, error);
    throw fail('FILE_UNWRITABLE', { path, reason: error instanceof Error ? error.message : String(error) }, error);
  }
}
