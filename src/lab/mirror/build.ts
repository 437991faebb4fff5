import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fail } from '../../common/errors/errors.ts';
import type { ReportProgress } from '../../common/progress.ts';
import { ensureFolder } from '../../util/ensure-folder.ts';
import { withLock } from '../../util/lock.ts';
import type { Sum } from './archive.ts';
import { idOf, type Component } from './component.ts';
import { archHere, type Making } from './making.ts';
import { writeImage } from './oci/image.ts';
import { mirrorPaths, type MirrorPaths } from './paths.ts';
import { ensurePieces, type Pieces } from './pieces.ts';
import { publish, type PublishedFile } from './publish.ts';
import { findPresent, recipeOf } from './present.ts';
import { readRecords, writeRecord, writeSummary, type MirrorRecord } from './records.ts';

/** A component that is in the mirror now, and whether it was before. */
export type Built = MirrorRecord & { readonly present: boolean };

/** Brings components into a mirror, one after the other; what is whole already is left alone. */
export async function buildMirror(
  folder: string,
  components: readonly Component[],
  report: ReportProgress = () => {},
  signal?: AbortSignal,
): Promise<readonly Built[]> {
  const paths = mirrorPaths(folder);
  await ensureFolder(paths.folder, 0o755);
  const onWait = () => report({ task: 'Waiting for another kubexm that builds this mirror' });
  const lock = `lab-mirror-${createHash('sha256').update(paths.folder).digest('hex').slice(0, 12)}`;
  try {
    return await withLock(lock, () => buildAll(paths, components, report, signal), { onWait, signal });
  } catch (error) {
    throw signal?.aborted ? fail('INTERRUPTED', {}, error) : error;
  }
}

async function buildAll(
  paths: MirrorPaths,
  components: readonly Component[],
  report: ReportProgress,
  signal?: AbortSignal,
): Promise<readonly Built[]> {
  const built: Built[] = [];
  for (const [place, component] of components.entries()) {
    const recipe = recipeOf(component);
    const present = await findPresent(paths, component, recipe);
    const task = `${component.name} ${component.version} (${place + 1} of ${components.length})`;
    const say = (detail: string) => report({ task, detail, done: place, total: components.length });
    if (present) say('is there');
    const making = { paths, arch: archHere(), say, ...(signal && { signal }) };
    built.push(
      present ? { ...present, present: true } : { ...(await build(component, recipe, making)), present: false },
    );
  }
  // A run that was killed between a record and this has left them old.
  await writeSummary(paths);
  return built;
}

async function build(component: Component, recipe: string, making: Making): Promise<MirrorRecord> {
  const start = performance.now();
  making.say('beginning');
  const pieces = await ensurePieces(component, recipe, making);
  const stage = join(making.paths.build, 'stage', idOf(component));
  await rm(stage, { recursive: true, force: true });
  await mkdir(stage, { recursive: true });
  const files = await publishAll(component, pieces, stage, making);
  const written = await writeImages(component, pieces, stage, making);
  await moveIn(stage, making.paths.folder);
  const record: MirrorRecord = {
    name: component.name,
    version: component.version,
    recipe,
    from: pieces.from,
    seconds: Math.round((performance.now() - start) / 100) / 10,
    files,
    images: written.flatMap(({ names, index }) => names.map((name) => ({ name, ...index }))),
    blobs: distinct(written.flatMap(({ blobs }) => blobs)).map(({ sha256, size }) => ({ sha256, size })),
    layers: distinct(written.flatMap(({ layers }) => layers)),
  };
  await writeRecord(making.paths, record);
  await rm(stage, { recursive: true, force: true });
  await rm(pieces.folder, { recursive: true, force: true });
  return record;
}

async function publishAll({ files }: Component, pieces: Pieces, stage: string, making: Making) {
  const sums = new Map<string, Sum>();
  const published: PublishedFile[] = [];
  for (const file of files) {
    making.say(`writing ${file.url}`);
    published.push(...(await publish(file, pieces.folder, stage, sums, making.signal)));
  }
  return published;
}

async function writeImages({ images, version }: Component, pieces: Pieces, stage: string, making: Making) {
  const userland = (await readRecords(making.paths)).find(({ name }) => name === 'userland')?.layers[0];
  const { arch, paths, signal } = making;
  const layout = join(stage, relative(paths.folder, paths.images));
  const work = { pieces: pieces.folder, layout, version, arch, userland, layers: new Map(), ...(signal && { signal }) };
  const written = [];
  for (const image of images) {
    making.say(`writing ${image.names[0] ?? ''}`);
    written.push(await writeImage(image, work));
  }
  return written;
}

/** Renames every file into its place: whoever reads meanwhile sees all of a file or nothing. */
async function moveIn(stage: string, folder: string): Promise<void> {
  for (const entry of await readdir(stage, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const from = join(entry.parentPath, entry.name);
    const to = join(folder, relative(stage, from));
    await mkdir(dirname(to), { recursive: true });
    await rename(from, to);
  }
}

const distinct = <T extends Sum>(all: readonly T[]): readonly T[] => [
  ...new Map(all.map((one) => [one.sha256, one])).values(),
];
