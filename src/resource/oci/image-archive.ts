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
import type { Depot } from '../download/downloader.ts';
import { knownSum } from '../download/expected-checksum.ts';
import type { FileItem, ImageItem } from '../item.ts';
import { writeLayout } from './layout.ts';
import { hexOf, parseManifest } from './manifest.ts';
import { recallImage } from './image-store.ts';

/** A file in the cache; undefined until it is downloaded. */
export async function locateFile(depot: Pick<Depot, 'cache' | 'checksums'>, item: FileItem): Promise<Blob | undefined> {
  const sum = await knownSum(depot, item);
  return sum && depot.cache.find(sum.sha256);
}

/** A file with images; or else the name of one that is not in the cache. */
export type ImagesArchive =
  { readonly archive: Blob; readonly absent?: undefined } | { readonly archive?: undefined; readonly absent: string };

/** Images of the cache for one architecture as one file that runtimes import; it is made when it is first asked for. */
export async function imagesArchive(
  cache: ArtifactCache,
  images: readonly Pick<ImageItem, 'ref'>[],
  arch: Arch,
): Promise<ImagesArchive> {
  const chosen: ChosenImage[] = [];
  for (const { ref } of images) {
    const known = await recallImage(cache, ref);
    const manifest = known?.manifests.find((one) => one.arch === arch);
    if (!manifest) return { absent: ref };
    chosen.push({ ref, digest: manifest.digest });
  }
  const lines = chosen.map(({ ref, digest }) => `${ref} ${digest}\n`);
  const key = createHash('sha256').update(lines.join('')).digest('hex');
  const record = join(cache.folder, 'archives', `${key}.json`);
  const known = textOf(await readJson(record), 'sha256');
  const there = known === '' ? undefined : await cache.find(known);
  return { archive: there ?? (await makeArchive(cache, chosen, arch, record)) };
}

interface ChosenImage {
  readonly ref: string;
  readonly digest: string;
}

async function makeArchive(
  cache: ArtifactCache,
  images: readonly ChosenImage[],
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
    const forDocker = await Promise.all(images.map((image) => dockerEntry(layout, image)));
    await writeFile(join(layout, 'manifest.json'), JSON.stringify(forDocker.flat()));
    const names = ['oci-layout', 'index.json', 'manifest.json', 'blobs'];
    await create({ cwd: layout, file, portable: true, mtime: new Date(0) }, names);
    const blob = await cache.admit(file, await hashFile(file));
    await writeJson(record, { sha256: blob.sha256 });
    return blob;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What docker reads of the same file: before version 25 it knows no layouts of OCI. */
async function dockerEntry(layout: string, { ref, digest }: ChosenImage): Promise<readonly object[]> {
  const pathOf = (each: string) => join('blobs', 'sha256', hexOf(each));
  const manifest = parseManifest(await readFile(join(layout, pathOf(digest)), 'utf8'));
  if (manifest?.type !== 'image') return [];
  const layers = manifest.layers.map((layer) => pathOf(layer.digest));
  return [{ Config: pathOf(manifest.config.digest), RepoTags: [ref], Layers: layers }];
}
