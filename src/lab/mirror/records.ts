import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Json } from '../../common/json.ts';
import { writeFileAtomically } from '../../util/write-file.ts';
import { at, count, items, parseJson, text } from '../json.ts';
import type { Sum } from './archive.ts';
import { idOf } from './component.ts';
import type { Layer } from './oci/image.ts';
import { blobPath, writeLayout, type NamedImage } from './oci/layout.ts';
import type { MirrorPaths } from './paths.ts';
import type { PublishedFile } from './publish.ts';

/** What is finished of a mirror: one component with the sums of all it brought. */
export interface MirrorRecord {
  readonly name: string;
  readonly version: string;
  /** Sum of how it is made: another recipe is another component. */
  readonly recipe: string;
  readonly from: Origin;
  readonly seconds: number;
  readonly files: readonly PublishedFile[];
  readonly images: readonly NamedImage[];
  readonly blobs: readonly Sum[];
  /** Layers of its own that images of others may use. */
  readonly layers: readonly Layer[];
}

/** Where the pieces of a component came from. */
export type Origin = 'seed' | 'source' | 'Debian';

/** All that is finished, in the order of their names. */
export async function readRecords(paths: MirrorPaths): Promise<readonly MirrorRecord[]> {
  const names = (await readdir(paths.records).catch(() => [])).filter((name) => name.endsWith('.json')).toSorted();
  return Promise.all(names.map(async (name) => toRecord(parseJson(await readFile(join(paths.records, name), 'utf8')))));
}

/** Says that a component is finished, then what the whole mirror holds. */
export async function writeRecord(paths: MirrorPaths, record: MirrorRecord): Promise<void> {
  await mkdir(paths.records, { recursive: true });
  const path = join(paths.records, `${idOf(record)}.json`);
  await writeFileAtomically(path, `${JSON.stringify(record, null, 2)}\n`, 0o644);
  await writeSummary(paths);
}

/** The sums of all files and the names of all images, made anew from the records. */
export async function writeSummary(paths: MirrorPaths): Promise<void> {
  const records = await readRecords(paths);
  const files = records.flatMap((one) => one.files).toSorted((a, b) => (a.url < b.url ? -1 : 1));
  const sums = files.map(({ url, sha256 }) => `${sha256}  ${url}\n`).join('');
  await writeFileAtomically(paths.sums, sums, 0o644);
  await writeLayout(
    paths.images,
    records.flatMap(({ images }) => images),
  );
}

/** Whether everything a record tells of is there with its size. */
export async function isWhole(paths: MirrorPaths, { files, blobs }: MirrorRecord): Promise<boolean> {
  const wanted = [
    ...files.map(({ url, size }) => [join(paths.folder, url), size] as const),
    ...blobs.map(({ sha256, size }) => [blobPath(paths.images, sha256), size] as const),
  ];
  const sizes = await Promise.all(
    wanted.map(([path]) =>
      stat(path).then(
        (found) => found.size,
        () => -1,
      ),
    ),
  );
  return sizes.every((size, place) => size === wanted[place]?.[1]);
}

const toRecord = (json: Json): MirrorRecord => ({
  name: text(at(json, 'name')),
  version: text(at(json, 'version')),
  recipe: text(at(json, 'recipe')),
  from: toOrigin(text(at(json, 'from'))),
  seconds: count(at(json, 'seconds')),
  files: items(at(json, 'files')).map((file) => ({ url: text(at(file, 'url')), ...toSum(file) })),
  images: items(at(json, 'images')).map((image) => ({ name: text(at(image, 'name')), ...toSum(image) })),
  blobs: items(at(json, 'blobs')).map(toSum),
  layers: items(at(json, 'layers')).map((layer) => ({ tarSha256: text(at(layer, 'tarSha256')), ...toSum(layer) })),
});

const toOrigin = (word: string): Origin => (word === 'seed' || word === 'Debian' ? word : 'source');

const toSum = (json: Json): Sum => ({ sha256: text(at(json, 'sha256')), size: count(at(json, 'size')) });
