import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fail } from '../../common/errors/errors.ts';
import type { ReportProgress } from '../../common/progress.ts';
import { ensureFolder } from '../../util/ensure-folder.ts';
import { withMachineLock } from '../../util/process-lock.ts';
import type { FileDigest } from './archive.ts';
import { idOf, type Component } from './component.ts';
import { localArch, type BuildContext } from './build-context.ts';
import { createJob, inBuildOrder, type Job } from './build-job.ts';
import { trackProgress } from './build-progress.ts';
import { writeImage } from './oci/image.ts';
import { mirrorPaths, type MirrorPaths } from './paths.ts';
import { ensurePieces, type Pieces } from './pieces.ts';
import { publish, type PublishedFile } from './publish.ts';
import { readRecords, writeRecord, writeSummary, type MirrorRecord } from './records.ts';

/** A component in the mirror, and whether it was there before the build. */
export type Built = MirrorRecord & { readonly present: boolean };

/** Builds components into a mirror, several at a time. Skips complete ones. */
export async function buildMirror(
  folder: string,
  components: readonly Component[],
  report: ReportProgress = () => {},
  signal?: AbortSignal,
): Promise<readonly Built[]> {
  const paths = mirrorPaths(folder);
  await ensureFolder(paths.folder, 0o755);
  const onWait = (holder: string) => report({ task: `Waiting for ${holder}, which is building this mirror` });
  const lock = `lab-mirror-${createHash('sha256').update(paths.folder).digest('hex').slice(0, 12)}`;
  try {
    return await withMachineLock(lock, () => buildAll(paths, components, report, signal), { onWait, signal });
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
  const jobs = await Promise.all(components.map((component) => createJob(paths, component)));
  const missing = jobs.filter(({ present }) => !present);
  const progress = trackProgress(jobs, report);
  const failure = new AbortController();
  const stop = AbortSignal.any([failure.signal, ...(signal ? [signal] : [])]);
  const records = new Map<Job, Promise<MirrorRecord>>();
  const userland = missing.find(({ component }) => component.name === 'userland');
  const start = (job: Job): Promise<MirrorRecord> => {
    const context = { paths, arch: localArch(), signal: stop, ...progress.callbacks(job) };
    const base = job === userland ? undefined : userland && records.get(userland);
    const record = build(job, context, base);
    records.set(job, record);
    return record;
  };
  const queue = inBuildOrder(missing);
  const work = async () => {
    for (let job = queue.shift(); job; job = queue.shift()) {
      stop.throwIfAborted();
      await start(job);
      progress.finish(job);
    }
  };
  const workers = Array.from({ length: WORKERS }, work);
  try {
    await Promise.all(workers);
  } catch (error) {
    failure.abort();
    await Promise.allSettled(workers);
    throw error;
  }
  // A run killed after writing a record may have left the summary outdated.
  await writeSummary(paths);
  return Promise.all(
    jobs.map(async (job) =>
      job.present ? { ...job.present, present: true } : { ...(await records.get(job)!), present: false },
    ),
  );
}

// Linking uses one CPU and downloading none, so concurrent builds keep the other CPUs busy.
const WORKERS = availableParallelism() < 4 ? 2 : 3;

/** Builds one component. `base` resolves when the userland, on which its images may be based, is built. */
async function build(
  { component, recipe }: Job,
  context: BuildContext,
  base: Promise<unknown> | undefined,
): Promise<MirrorRecord> {
  const start = performance.now();
  context.report('starting');
  const pieces = await ensurePieces(component, recipe, context);
  const stage = join(context.paths.build, 'stage', idOf(component));
  await rm(stage, { recursive: true, force: true });
  await mkdir(stage, { recursive: true });
  const files = await publishAll(component, pieces, stage, context);
  await base;
  const written = await writeImages(component, pieces, stage, context);
  await moveIntoMirror(stage, context.paths.folder);
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
  await writeRecord(context.paths, record);
  await rm(stage, { recursive: true, force: true });
  await rm(pieces.folder, { recursive: true, force: true });
  return record;
}

async function publishAll({ files }: Component, pieces: Pieces, stage: string, context: BuildContext) {
  const digests = new Map<string, FileDigest>();
  const published: PublishedFile[] = [];
  for (const file of files) {
    context.report(`writing ${file.url}`);
    published.push(...(await publish(file, pieces.folder, stage, digests, context.signal)));
  }
  return published;
}

async function writeImages({ images, version }: Component, pieces: Pieces, stage: string, context: BuildContext) {
  const userland = (await readRecords(context.paths)).find(({ name }) => name === 'userland')?.layers[0];
  const { arch, paths, signal } = context;
  const layout = join(stage, relative(paths.folder, paths.images));
  const work = { pieces: pieces.folder, layout, version, arch, userland, layers: new Map(), ...(signal && { signal }) };
  const written = [];
  for (const image of images) {
    context.report(`writing ${image.names[0] ?? ''}`);
    written.push(await writeImage(image, work));
  }
  return written;
}

/** Renames every file into the mirror, so that readers never see a partial file. */
async function moveIntoMirror(stage: string, folder: string): Promise<void> {
  for (const entry of await readdir(stage, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const from = join(entry.parentPath, entry.name);
    const to = join(folder, relative(stage, from));
    await mkdir(dirname(to), { recursive: true });
    await rename(from, to);
  }
}

const distinct = <T extends FileDigest>(all: readonly T[]): readonly T[] => [
  ...new Map(all.map((one) => [one.sha256, one])).values(),
];
