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
import { findExpectedImage } from '../../resource/oci/expected-digest.ts';
import { fail } from '../../common/errors/errors.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { withLock } from '../../util/process-lock.ts';
import { DONE } from '../contract/finding.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';

/** The content of a bundle, taken from the cache, and its path. */
export interface BundleOptions extends BundleInfo {
  readonly path: string;
  readonly files: readonly FileItem[];
  readonly images: readonly ImageItem[];
  readonly systems: readonly SystemPackages[];
  readonly artifacts: Cluster['artifacts'];
  readonly zstd: Compression | undefined;
}

/** Writes a signed bundle with everything that a cluster needs. */
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
      if ('missing' in bundle) return { done: false, because: `not in the cache: ${bundle.missing.join(', ')}` };
      return (await isUpToDate(options, bundle))
        ? DONE
        : { done: false, because: `${path} is missing or has other content` };
    },
    async run(ctx) {
      await using downloader = await openDownloader(artifacts, { offline: true });
      const bundle = await compose(downloader, options);
      if ('missing' in bundle) throw fail('OFFLINE_MISSING', { item: bundle.missing.join(', '), url: 'elsewhere' });
      const compression = compressionFor(path, zstd);
      // Only one process writes the partial file; that of a killed process is overwritten.
      const lock = `bundle-${createHash('sha256').update(resolve(path)).digest('hex').slice(0, 32)}`;
      const onWait = (holder: string) => ctx.say(`waiting for ${holder}, which is writing ${path}`);
      await withLock(lock, () => write(ctx, downloader, bundle, { path, compression }), { signal: ctx.signal, onWait });
    },
  });
}

/** The composed bundle, or the items that are missing from the cache. */
async function compose(
  downloader: Downloader,
  options: BundleOptions,
): Promise<ComposedBundle | { readonly missing: readonly string[] }> {
  const { cache } = downloader;
  const files = await Promise.all(
    options.files.map(async (item) => {
      const checksum = await knownChecksum(downloader, item);
      return { item, blob: checksum && (await cache.find(checksum.sha256)), own: checksum?.fromUser ?? false };
    }),
  );
  const images = await Promise.all(
    options.images.map(async (item) => ({ item, found: await findExpectedImage(downloader, item) })),
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

async function isUpToDate({ path, zstd }: BundleOptions, { index }: ComposedBundle): Promise<boolean> {
  const [existing, key] = await Promise.all([openBundleFile(path, zstd).catch(() => undefined), existingSigningKey()]);
  if (!existing || !key) return false;
  await using bundle = existing;
  const isOwn = bundle.signer !== undefined && fingerprint(bundle.signer) === fingerprint(key);
  return isOwn && bundle.id === sha256Hex(indexText(index));
}

async function write(
  ctx: StepContext,
  { cache }: Downloader,
  bundle: ComposedBundle,
  { path, compression }: { readonly path: string; readonly compression: Compression },
): Promise<void> {
  const partial = `${path}.partial`;
  const meter = createProgressMeter(path, (line) => ctx.say(line));
  const total = bundle.index.content.reduce((all, { size }) => all + size, 0);
  const tar = bundleTar(cache, bundle, await signingKey(), (sent) => meter.update(sent, total));
  try {
    await pipeline(compression.compress(tar), createWriteStream(partial, { mode: 0o644 }), { signal: ctx.signal });
    await using file = await open(partial, 'r+');
    await file.sync();
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    if (ctx.signal.aborted) throw fail('INTERRUPTED', {}, error);
    throw fail('FILE_UNWRITABLE', { path, reason: error instanceof Error ? error.message : String(error) }, error);
  }
}
