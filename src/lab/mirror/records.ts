import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Json } from '../../common/json.ts';
import { writeFileAtomically } from '../../util/write-file.ts';
import { at, count, items, parseJson, text } from '../json.ts';
import type { FileDigest } from './archive.ts';
import { idOf, type Component } from './component.ts';
import type { Layer } from './oci/image.ts';
import { blobPath, writeLayout, type NamedImage } from './oci/layout.ts';
import type { MirrorPaths } from './paths.ts';
import type { PublishedFile } from './publish.ts';

/** A completed component of a mirror, with the digests of all its files. */
export interface MirrorRecord {
  readonly name: string;
  readonly version: string;
  /** Hash of the build recipe; if the recipe changes, the component is rebuilt. */
  readonly recipe: string;
  readonly from: Origin;
  readonly seconds: number;
  readonly files: readonly PublishedFile[];
  readonly images: readonly NamedImage[];
  readonly blobs: readonly FileDigest[];
  /** Image layers, which images of other components may reuse. */
  readonly layers: readonly Layer[];
}

/** Where the pieces of a component came from. */
export type Origin = 'seed' | 'source' | 'Debian';

/** The record of a component that is complete in the mirror and was built with this recipe. */
export async function findRecord(
  paths: MirrorPaths,
  component: Component,
  recipe: string,
): Promise<MirrorRecord | undefined> {
  const found = (await readRecords(paths)).find((one) => idOf(one) === idOf(component) && one.recipe === recipe);
  return found && (await isComplete(paths, found)) ? found : undefined;
}

/** The recipe hash of a component. */
export const recipeOf = (component: Component) => createHash('sha256').update(JSON.stringify(component)).digest('hex');

/** All records, sorted by name. */
export async function readRecords(paths: MirrorPaths): Promise<readonly MirrorRecord[]> {
  const names = (await readdir(paths.records).catch(() => [])).filter((name) => name.endsWith('.json')).toSorted();
  return Promise.all(names.map(async (name) => toRecord(parseJson(await readFile(join(paths.records, name), 'utf8')))));
}

/** Records a completed component and updates the summary of the mirror. */
export async function writeRecord(paths: MirrorPaths, record: MirrorRecord): Promise<void> {
  await mkdir(paths.records, { recursive: true });
  const path = join(paths.records, `${idOf(record)}.json`);
  await writeFileAtomically(path, `${JSON.stringify(record, null, 2)}\n`, 0o644);
  await writeSummary(paths);
}

/** Rewrites SHA256SUMS and the image index from the records. */
export async function writeSummary(paths: MirrorPaths): Promise<void> {
  const records = await readRecords(paths);
  await writeChecksums(paths, records);
  await writeLayout(
    paths.images,
    records.flatMap(({ images }) => images),
  );
}

/** Lists the checksums of all files and the digests of all images. A mirror of an earlier version has no digests. */
export async function updateChecksums(paths: MirrorPaths): Promise<void> {
  const records = await readRecords(paths);
  if (records.length > 0) await writeChecksums(paths, records);
}

async function writeChecksums({ checksums }: MirrorPaths, records: readonly MirrorRecord[]): Promise<void> {
  const published = [
    ...records.flatMap(({ files }) => files).map(({ url, sha256 }) => ({ name: url, sha256 })),
    ...records.flatMap(({ images }) => images),
  ].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const text = published.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('');
  const current = await readFile(checksums, 'utf8').catch(() => '');
  if (current !== text) await writeFileAtomically(checksums, text, 0o644);
}

/** Whether every file of a record exists with the recorded size. */
async function isComplete(paths: MirrorPaths, { files, blobs }: MirrorRecord): Promise<boolean> {
  const expected = [
    ...files.map(({ url, size }) => [join(paths.folder, url), size] as const),
    ...blobs.map(({ sha256, size }) => [blobPath(paths.images, sha256), size] as const),
  ];
  const sizes = await Promise.all(
    expected.map(([path]) =>
      stat(path).then(
        (stats) => stats.size,
        () => -1,
      ),
    ),
  );
  return sizes.every((size, index) => size === expected[index]?.[1]);
}

const toRecord = (json: Json): MirrorRecord => ({
  name: text(at(json, 'name')),
  version: text(at(json, 'version')),
  recipe: text(at(json, 'recipe')),
  from: toOrigin(text(at(json, 'from'))),
  seconds: count(at(json, 'seconds')),
  files: items(at(json, 'files')).map((file) => ({ url: text(at(file, 'url')), ...toDigest(file) })),
  images: items(at(json, 'images')).map((image) => ({ name: text(at(image, 'name')), ...toDigest(image) })),
  blobs: items(at(json, 'blobs')).map(toDigest),
  layers: items(at(json, 'layers')).map((layer) => ({ tarSha256: text(at(layer, 'tarSha256')), ...toDigest(layer) })),
});

const toOrigin = (word: string): Origin => (word === 'seed' || word === 'Debian' ? word : 'source');

const toDigest = (json: Json): FileDigest => ({ sha256: text(at(json, 'sha256')), size: count(at(json, 'size')) });
