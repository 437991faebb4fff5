import { setTimeout as pause } from 'node:timers/promises';
import type { Arch } from '../../common/host.ts';
import { fail } from '../../common/errors/errors.ts';
import { withoutCredentials } from '../../common/secret.ts';
import type { ArtifactCache, Blob } from '../cache/cache.ts';
import type { FileFormat } from '../item.ts';
import { formatProblem } from './file-format.ts';
import type { RetryPolicy } from './downloader.ts';
import type { Http } from './http.ts';
import { createProgressMeter } from './progress-meter.ts';
import { partialPath, removePartial } from './partial-file.ts';
import type { DownloadSource } from './sources.ts';
import type { ExpectedChecksum } from './expected-checksum.ts';
import { resumeDownload, type TransferResult } from './resume.ts';

/** Cancels a transfer and receives its progress. */
export interface TransferContext {
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** The content to fetch and its possible sources. */
export interface ContentRequest {
  readonly title: string;
  /** Identifies the content, so that another process can resume the download. */
  readonly key: string;
  readonly sources: readonly ContentSource[];
  readonly checksum: ExpectedChecksum | undefined;
  readonly format: FileFormat | undefined;
  readonly arch: Arch | undefined;
}

interface ContentSource extends DownloadSource {
  readonly http: Http;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A verified blob and its source. */
export interface FetchedContent {
  readonly blob: Blob;
  readonly source: DownloadSource;
}

/** Tries the sources in order until verified content is in the cache. */
export async function fetchContent(
  { cache, retry }: { readonly cache: ArtifactCache; readonly retry: RetryPolicy },
  request: ContentRequest,
  ctx: TransferContext,
): Promise<FetchedContent> {
  const failures: string[] = [];
  const fetch = { cache, retry, request, ctx, failures, partial: partialPath(cache.folder, request.key) };
  for (const source of request.sources) {
    const blob = await fetchFromSource(fetch, source);
    if (blob) return { blob, source };
  }
  throw fail('ARTIFACT_UNAVAILABLE', { item: request.title, tried: failures.join('\n') });
}

interface Fetch {
  readonly cache: ArtifactCache;
  readonly retry: RetryPolicy;
  readonly request: ContentRequest;
  readonly ctx: TransferContext;
  /** Path of the partial file. */
  readonly partial: string;
  /** Collects the reasons why attempts failed. */
  readonly failures: string[];
}

/** Fetches the content from one source. If it fails, returns undefined and adds the reasons to `failures`. */
async function fetchFromSource(fetch: Fetch, source: ContentSource): Promise<Blob | undefined> {
  const { cache, retry, request, ctx, partial } = fetch;
  const { say, signal } = ctx;
  const shownUrl = withoutCredentials(source.url);
  const meter = createProgressMeter(request.title, say);
  const addFailure = (reason: string) => void fetch.failures.push(`${shownUrl}: ${reason}`);
  let invalid = 0;
  for (let attempt = 1; attempt <= retry.attempts; attempt++) {
    const result = await resumeDownload({
      ...source,
      item: request.title,
      partialPath: partial,
      signal,
      stallTimeoutMs: retry.stallTimeoutMs,
      onBytes: meter.update,
    });
    if (result.type === 'complete') {
      const problem = await problemOf(fetch, result);
      if (problem === undefined) return addToCache(fetch, result);
      await cache.quarantine(partial, `${shownUrl}: ${problem}`);
      await removePartial(partial);
      addFailure(problem);
      say(`${shownUrl}: ${problem}; quarantined`);
      // Gives up after two invalid files. A file assembled from two sources is ignored, because either source may have
      // sent the bad bytes.
      if (!result.mixed && ++invalid === 2) return undefined;
      continue;
    }
    addFailure(result.reason);
    if (result.type === 'unavailable') return undefined;
    say(`${shownUrl}: ${result.reason}`);
    if (attempt < retry.attempts) await waitFor(result.afterMs ?? retry.backoffMs * 2 ** (attempt - 1), signal);
  }
  return undefined;
}

type Complete = Extract<TransferResult, { type: 'complete' }>;

async function problemOf(
  { request: { checksum, format, arch }, partial }: Fetch,
  { content }: Complete,
): Promise<string | undefined> {
  const problem = await formatProblem(partial, format, arch);
  if (problem !== undefined) return problem;
  if (checksum === undefined || content.sha256 === checksum.sha256) return undefined;
  return `its checksum is ${content.sha256}, expected ${checksum.sha256} (from ${checksum.from})`;
}

async function addToCache({ cache, partial }: Fetch, { content }: Complete): Promise<Blob> {
  const blob = await cache.add(partial, content);
  await removePartial(partial);
  return blob;
}

/** Adds jitter, so that many clients do not retry at the same time. */
const waitFor = (ms: number, signal: AbortSignal) =>
  pause(ms * (0.75 + Math.random() / 2), undefined, { signal }).catch((error: unknown) => {
    throw fail('INTERRUPTED', {}, error);
  });
