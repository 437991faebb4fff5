import { readFile } from 'node:fs/promises';
import { fail } from '../../common/errors/errors.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { openCache, type ArtifactCache } from '../cache/cache.ts';
import { parseSums, type SumLine } from './checksum-file.ts';
import { createHttp, type Http, type HttpOptions } from './http.ts';
import { zoneOf, type Mirrors } from './sources.ts';

/** Where artifacts come from and where they are kept, for the time of one act. */
export interface Depot extends Mirrors, AsyncDisposable {
  readonly cache: ArtifactCache;
  readonly http: Http;
  /** The user's own file of sums. */
  readonly checksums: { readonly file: string; readonly lines: readonly SumLine[] };
  readonly imageMirror: string;
  readonly patience: Patience;
}

/** How long to bear with a source. */
export interface Patience {
  readonly stallMs: number;
  /** For a short answer as a whole, such as a sum. */
  readonly answerMs: number;
  /** Tries of one source. */
  readonly tries: number;
  /** Before the second try; then twice as long each time. */
  readonly pauseMs: number;
}

/** What may differ from the ordinary. */
export interface DepotOptions {
  readonly offline?: boolean;
  readonly cacheFolder?: string;
  readonly patience?: Partial<Patience>;
  readonly http?: HttpOptions;
}

/** Opens what a cluster file says about artifacts. */
export async function openDepot(
  {
    mirror,
    zone,
    checksums: file,
    imageMirror,
  }: Pick<Cluster['artifacts'], 'mirror' | 'zone' | 'checksums' | 'imageMirror'>,
  { offline = false, cacheFolder, patience, http: httpOptions }: DepotOptions = {},
): Promise<Depot> {
  const lines = file === undefined ? [] : parseSums(await readSums(file));
  const http = createHttp({ ...httpOptions, offline });
  return Object.freeze({
    cache: openCache(cacheFolder),
    http,
    mirror,
    zone: zoneOf(zone),
    checksums: { file: file ?? '', lines },
    imageMirror,
    patience: { stallMs: 30_000, answerMs: 30_000, tries: 4, pauseMs: 1000, ...patience },
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  });
}

async function readSums(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw fail('FILE_NOT_FOUND', { path }, error);
    throw fail('FILE_UNREADABLE', { path, reason: error instanceof Error ? error.message : String(error) }, error);
  }
}
