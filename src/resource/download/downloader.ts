import { readFile } from 'node:fs/promises';
import { fail } from '../../common/errors/errors.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { openCache, type ArtifactCache } from '../cache/cache.ts';
import { parseChecksums, type ChecksumLine } from './checksum-file.ts';
import { createHttp, type Http, type HttpOptions } from './http.ts';
import type { TrustPolicy } from '../trust.ts';
import { effectiveZone, type Mirrors } from './sources.ts';

/** The sources, cache and retry policy for downloads. Keeps connections open until it is disposed. */
export interface Downloader extends Mirrors, AsyncDisposable {
  readonly cache: ArtifactCache;
  readonly http: Http;
  /** The user's checksum file. */
  readonly checksums: { readonly file: string; readonly lines: readonly ChecksumLine[] };
  readonly imageMirror: string;
  readonly trust: TrustPolicy;
  readonly retry: RetryPolicy;
}

/** Limits after which a source is abandoned. */
export interface RetryPolicy {
  readonly stallTimeoutMs: number;
  /** Timeout for a complete short response, such as a checksum. */
  readonly responseTimeoutMs: number;
  /** Attempts per source. */
  readonly attempts: number;
  /** Delay before the second attempt; doubles with each attempt. */
  readonly backoffMs: number;
}

export interface DownloaderOptions {
  readonly offline?: boolean;
  /** The name of the cluster that the artifacts are for. Optional if `offline` is set. */
  readonly cluster?: string;
  readonly cacheFolder?: string;
  readonly retry?: Partial<RetryPolicy>;
  readonly http?: HttpOptions;
}

/** Opens a downloader for the `artifacts` settings in a cluster file. */
export async function openDownloader(
  {
    mirror,
    zone,
    checksums: file,
    imageMirror,
    trustMirror,
  }: Pick<Cluster['artifacts'], 'mirror' | 'zone' | 'checksums' | 'imageMirror' | 'trustMirror'>,
  { offline = false, cluster = '', cacheFolder, retry, http: httpOptions }: DownloaderOptions = {},
): Promise<Downloader> {
  const lines = file === undefined ? [] : parseChecksums(await readChecksums(file));
  const http = createHttp({ ...httpOptions, offline });
  return Object.freeze({
    cache: openCache(cacheFolder),
    http,
    mirror,
    zone: effectiveZone(zone),
    checksums: { file: file ?? '', lines },
    imageMirror,
    trust: { cluster, offline, trustMirror },
    retry: { stallTimeoutMs: 30_000, responseTimeoutMs: 30_000, attempts: 4, backoffMs: 1000, ...retry },
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  });
}

async function readChecksums(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw fail('FILE_NOT_FOUND', { path }, error);
    throw fail('FILE_UNREADABLE', { path, reason: error instanceof Error ? error.message : String(error) }, error);
  }
}
