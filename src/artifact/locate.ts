import { dirname, join } from 'node:path';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { create } from 'tar';
import type { Arch } from '../common/host.ts';
import { ensureFolder } from '../util/ensure-folder.ts';
import { textOf } from '../util/json-fields.ts';
import type { ArtifactCache, Blob } from './cache/cache.ts';
import { hashFile } from './cache/hash.ts';
import { readJson, writeJson } from './cache/json-file.ts';
import type { Depot } from './download/depot.ts';
import { knownSum } from './download/sum.ts';
import type { FileItem, ImageItem } from './item.ts';
import { writeLayout } from './oci/layout.ts';
import { hexOf, parseManifest } from './oci/manifest.ts';
import { recallImage } from './oci/store.ts';

/** A file in the cache; undefined until it is downloaded. */
export async function locateFile(depot: Pick<Depot, 'cache' | 'checksums'>, item: FileItem): Promise<Blob | undefined> {
  const sum = await knownSum(depot, item);
  return sum && depot.cache.find(sum.sha256);
}

/** An image of the cache for one architecture as a file that runtimes import; it is made when it is first asked for. */
export async function imageArchive(cache: ArtifactCache, { ref }: ImageItem, arch: Arch): Promise<Blob | undefined> {
  const known = await recallImage(cache, ref);
  const manifest = known?.manifests.find((one) => one.arch === arch);
  if (!manifest) return undefined;
  const record = join(cache.folder, 'archives', `${manifest.digest.replace(':', '-')}.json`);
  const json = await readJson(record);
  const there = textOf(json, 'ref') === ref ? await cache.find(textOf(json, 'sha256')) : undefined;
  if (there) return there;
  await ensureFolder(dirname(record), 0o700);
  const folder = await mkdtemp(join(dirname(record), 'new-'));
  try {
    const layout = join(folder, 'layout');
    const file = join(folder, 'image.tar');
    await writeLayout(cache, [{ ref, arches: [arch] }], layout);
    await writeFile(join(layout, 'manifest.json'), await dockerManifest(layout, ref, manifest.digest));
    const names = ['oci-layout', 'index.json', 'manifest.json', 'blobs'];
    await create({ cwd: layout, file, portable: true, mtime: new Date(0) }, names);
    const blob = await cache.admit(file, await hashFile(file));
    await writeJson(record, { ref, sha256: blob.sha256 });
    return blob;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What docker reads of the same file: before version 25 it knows no layouts of OCI. */
async function dockerManifest(layout: string, ref: string, digest: string): Promise<string> {
  const pathOf = (each: string) => join('blobs', 'sha256', hexOf(each));
  const manifest = parseManifest(await readFile(join(layout, pathOf(digest)), 'utf8'));
  if (manifest?.type !== 'image') return '[]';
  const layers = manifest.layers.map((layer) => pathOf(layer.digest));
  return JSON.stringify([{ Config: pathOf(manifest.config.digest), RepoTags: [ref], Layers: layers }]);
}
