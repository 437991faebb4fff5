import { setTimeout as pause } from 'node:timers/promises';
import type { Arch } from '../../common/host.ts';
import { fail } from '../../common/errors/errors.ts';
import { withoutCredentials } from '../../common/secret.ts';
import type { ArtifactCache, Blob } from '../cache/cache.ts';
import type { Content } from '../item.ts';
import { contentProblem } from './file-format.ts';
import type { Patience } from './downloader.ts';
import type { Http } from './http.ts';
import { createMeter } from './progress-meter.ts';
import { dropPartial, partialPath } from './partial-file.ts';
import type { Source } from './sources.ts';
import type { Sum } from './expected-checksum.ts';
import { transfer, type Transferred } from './resume.ts';

/** What watches over a download. */
export interface Watch {
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** Content that some sources have. */
export interface Wanted {
  readonly title: string;
  /** The same for the same content: another process goes on with it under this name. */
  readonly key: string;
  readonly sources: readonly (Source & { readonly http: Http; readonly headers?: Readonly<Record<string, string>> })[];
  readonly sum: Sum | undefined;
  readonly content: Content | undefined;
  readonly arch: Arch | undefined;
}

type WantedSource = Wanted['sources'][number];

/** What came, and from where. */
export interface Fetched {
  readonly blob: Blob;
  readonly source: Source;
}

/** Asks one source after the other until the right content is in the cache. */
export async function fetchContent(
  { cache, patience }: { readonly cache: ArtifactCache; readonly patience: Patience },
  wanted: Wanted,
  watch: Watch,
): Promise<Fetched> {
  const tried: string[] = [];
  const act = { cache, patience, wanted, watch, tried, partial: partialPath(cache.folder, wanted.key) };
  for (const source of wanted.sources) {
    const blob = await fromSource(act, source);
    if (blob) return { blob, source };
  }
  throw fail('ARTIFACT_UNAVAILABLE', { item: wanted.title, tried: tried.join('\n') });
}

interface Act {
  readonly cache: ArtifactCache;
  readonly patience: Patience;
  readonly wanted: Wanted;
  readonly watch: Watch;
  readonly partial: string;
  readonly tried: string[];
}

/** Undefined when this source is of no use; why is told in `tried`. */
async function fromSource(act: Act, source: WantedSource): Promise<Blob | undefined> {
  const { cache, patience, wanted, watch, partial } = act;
  const { say, signal } = watch;
  const { url, http, headers = {} } = source;
  const place = withoutCredentials(url);
  const meter = createMeter(wanted.title, say);
  const told = (reason: string) => void act.tried.push(`${place}: ${reason}`);
  let wrong = 0;
  for (let tries = 1; tries <= patience.tries; tries++) {
    const { stallMs } = patience;
    const got = await transfer({ http, item: wanted.title, url, headers, partial, signal, stallMs, onBytes: meter.at });
    if (got.type === 'whole') {
      const problem = await problemOf(act, got);
      if (problem === undefined) return admit(act, got);
      await cache.quarantine(partial, `${place}: ${problem}`);
      await dropPartial(partial);
      told(problem);
      say(`${place}: ${problem}; it is set aside`);
      // Bytes of two sources that do not fit together say nothing about either; else one more chance is enough.
      if (!got.mixed && ++wrong === 2) return undefined;
      continue;
    }
    told(got.reason);
    if (got.type === 'never') return undefined;
    say(`${place}: ${got.reason}`);
    if (tries < patience.tries) await waitFor(got.afterMs ?? patience.pauseMs * 2 ** (tries - 1), signal);
  }
  return undefined;
}

type Whole = Extract<Transferred, { type: 'whole' }>;

async function problemOf({ wanted: { sum, content, arch }, partial }: Act, got: Whole): Promise<string | undefined> {
  const problem = await contentProblem(partial, content, arch);
  if (problem !== undefined) return problem;
  if (sum === undefined || got.content.sha256 === sum.sha256) return undefined;
  return `its sum is ${got.content.sha256}, and ${sum.from} says ${sum.sha256}`;
}

async function admit({ cache, partial }: Act, { content }: Whole): Promise<Blob> {
  const blob = await cache.admit(partial, content);
  await dropPartial(partial);
  return blob;
}

/** With a share of chance, so that many do not come back at once. */
const waitFor = (ms: number, signal: AbortSignal) =>
  pause(ms * (0.75 + Math.random() / 2), undefined, { signal }).catch((error: unknown) => {
    throw fail('INTERRUPTED', {}, error);
  });
