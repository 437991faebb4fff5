import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { create } from 'tar';
import type { Arch } from '../../common/host.ts';
import { ensureFolder } from '../../util/ensure-folder.ts';
import { textOf } from '../../util/json-fields.ts';
import type { ArtifactCache, Blob } from '../cache/cache.ts';
import { hashFile } from '../cache/hash.ts';
import { readJson, writeJson } from '../cache/json-file.ts';
import type { ImageItem } from '../item.ts';
import { writeLayout } from './layout.ts';
import { digestHex, parseManifest } from './manifest.ts';
import { readImageRecord } from './image-store.ts';

/** An archive with images, or the reference of an image that is missing from the cache. */
export type ImageArchive =
  { readonly archive: Blob; readonly absent?: undefined } | { readonly archive?: undefined; readonly absent: string };

/**
 * Returns an archive of cached images for one architecture that container runtimes can import. Creates the archive on
 * first use.
 */
export async function imageArchive(
  cache: ArtifactCache,
  images: readonly Pick<ImageItem, 'ref'>[],
  arch: Arch,
): Promise<ImageArchive> {
  const selected: SelectedImage[] = [];
  for (const { ref } of images) {
    const image = await readImageRecord(cache, ref);
    const manifest = image?.manifests.find((one) => one.arch === arch);
    if (!manifest) return { absent: ref };
    selected.push({ ref, digest: manifest.digest });
  }
  const lines = selected.map(({ ref, digest }) => `${ref} ${digest}\n`);
  const key = createHash('sha256').update(lines.join('')).digest('hex');
  const record = join(cache.folder, 'archives', `${key}.json`);
  const sha256 = textOf(await readJson(record), 'sha256');
  const existing = sha256 === '' ? undefined : await cache.find(sha256);
  return { archive: existing ?? (await createArchive(cache, selected, arch, record)) };
}

interface SelectedImage {
  readonly ref: string;
  readonly digest: string;
}

async function createArchive(
  cache: ArtifactCache,
  images: readonly SelectedImage[],
  arch: Arch,
  record: string,
): Promise<Blob> {
  await ensureFolder(dirname(record), 0o700);
  const folder = await mkdtemp(join(dirname(record), 'new-'));
  try {
    const layout = join(folder, 'layout');
    const file = join(folder, 'images.tar');
    await writeLayout(
      cache,
      images.map(({ ref }) => ({ ref, arches: [arch] })),
      layout,
    );
    const dockerManifest = await Promise.all(images.map((image) => dockerEntry(layout, image)));
    await writeFile(join(layout, 'manifest.json'), JSON.stringify(dockerManifest.flat()));
    const names = ['oci-layout', 'index.json', 'manifest.json', 'blobs'];
    await create({ cwd: layout, file, portable: true, mtime: new Date(0) }, names);
    const blob = await cache.add(file, await hashFile(file));
    await writeJson(record, { sha256: blob.sha256 });
    return blob;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns an entry for manifest.json, which Docker versions before 25 read instead of the OCI layout. */
async function dockerEntry(layout: string, { ref, digest }: SelectedImage): Promise<readonly object[]> {
  const pathOf = (each: string) => join('blobs', 'sha256', digestHex(each));
  const manifest = parseManifest(await readFile(join(layout, pathOf(digest)), 'utf8'));
  if (manifest?.type !== 'image') return [];
  const layers = manifest.layers.map((layer) => pathOf(layer.digest));
  return [{ Config: pathOf(manifest.config.digest), RepoTags: [ref], Layers: layers }];
}
