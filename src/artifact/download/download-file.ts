import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { fail } from '../../common/errors.ts';
import { withoutCredentials } from '../../common/secret.ts';
import { withLock } from '../../util/lock.ts';
import type { Blob } from '../cache/cache.ts';
import { memorise } from '../cache/remembered.ts';
import { fileTitle, type FileItem } from '../item.ts';
import { contentProblem } from './content.ts';
import type { Depot } from './depot.ts';
import { createMeter } from './meter.ts';
import { dropPartial, partialPath } from './partial.ts';
import { sourcesOf, type Source } from './sources.ts';
import { askedSum, knownSum, type Sum } from './sum.ts';
import { transfer, type Transferred } from './transfer.ts';

/** What watches over a download. */
export interface Watch {
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** Brings a file into the cache, whole and checked, unless it is there. */
export async function downloadFile(depot: Depot, item: FileItem, watch: Watch): Promise<Blob> {
  const there = await inCache(depot, item);
  if (there) return there;
  if (depot.http.offline) throw fail('OFFLINE_MISSING', { item: fileTitle(item), url: withoutCredentials(item.url) });
  const key = createHash('sha256').update(`${depot.cache.folder}\0${item.url}`).digest('hex').slice(0, 32);
  const waiting = {
    signal: watch.signal,
    onWait: () => watch.say(`another kubexm downloads ${fileTitle(item)}; waiting for it`),
  };
  return withLock(
    `file-${key}`,
    async () => (await inCache(depot, item)) ?? fetchFile(depot, item, key, watch),
    waiting,
  );
}

async function inCache(depot: Depot, item: FileItem): Promise<Blob | undefined> {
  const sum = await knownSum(depot, item);
  return sum && depot.cache.find(sum.sha256);
}

async function fetchFile(depot: Depot, item: FileItem, key: string, watch: Watch): Promise<Blob> {
  const sum = (await knownSum(depot, item)) ?? (await askedSum(depot, item, watch.signal));
  const there = sum && (await depot.cache.find(sum.sha256));
  if (there) return there;
  const partial = partialPath(depot.cache.folder, key);
  const tried: string[] = [];
  for (const source of allowedSources(depot, item, sum)) {
    const blob = await fromSource(depot, { item, source, sum, partial, tried }, watch);
    if (blob) return blob;
  }
  if (tried.length === 0) throw fail('SUM_UNKNOWN', { item: fileTitle(item), name: item.name, why: whyUnknown(item) });
  throw fail('ARTIFACT_UNAVAILABLE', { item: fileTitle(item), tried: tried.join('\n') });
}

/** Without a sum only the publisher itself is believed, over TLS; from then on its content is remembered. */
function allowedSources(depot: Depot, item: FileItem, sum: Sum | undefined): readonly Source[] {
  const all = sourcesOf(item.url, depot);
  if (sum) return all.filter(({ site, publisher }) => publisher || site !== sum.notFrom);
  const tellsNone = item.sumUrl === undefined;
  return all.filter(({ publisher, url }) => publisher && tellsNone && url.startsWith('https:'));
}

const whyUnknown = ({ sumUrl, url }: FileItem) =>
  sumUrl === undefined
    ? `what comes from ${new URL(url).host} is not protected by TLS`
    : `its publisher, ${new URL(sumUrl).host}, could not be asked`;

interface Fetching {
  readonly item: FileItem;
  readonly source: Source;
  readonly sum: Sum | undefined;
  readonly partial: string;
  readonly tried: string[];
}

/** Undefined when this source is of no use; why is told in `tried`. */
async function fromSource(depot: Depot, fetching: Fetching, watch: Watch): Promise<Blob | undefined> {
  const { item, source, partial, tried } = fetching;
  const { http, patience } = depot;
  const { say, signal } = watch;
  const meter = createMeter(fileTitle(item), say);
  const place = withoutCredentials(source.url);
  let wrong = 0;
  for (let tries = 1; tries <= patience.tries; tries++) {
    const { stallMs } = patience;
    const got = await transfer({
      http,
      item: fileTitle(item),
      url: source.url,
      partial,
      signal,
      stallMs,
      onBytes: meter.at,
    });
    if (got.type === 'whole') {
      const problem = await problemOf(fetching, got);
      if (problem === undefined) return admit(depot, fetching, got);
      await setAside(depot, partial, `${place}: ${problem}`);
      tried.push(`${place}: ${problem}`);
      say(`${place}: ${problem}; it is set aside`);
      // Bytes of two sources that do not fit together say nothing about either; else one more chance is enough.
      if (!got.mixed && ++wrong === 2) return undefined;
      continue;
    }
    tried.push(`${place}: ${got.reason}`);
    if (got.type === 'never') return undefined;
    say(`${place}: ${got.reason}`);
    if (tries < patience.tries) await waitFor(got.afterMs ?? patience.pauseMs * 2 ** (tries - 1), signal);
  }
  return undefined;
}

type Whole = Extract<Transferred, { type: 'whole' }>;

async function problemOf({ item, sum, partial }: Fetching, { content }: Whole): Promise<string | undefined> {
  const problem = await contentProblem(partial, item.content, item.arch);
  if (problem !== undefined) return problem;
  if (sum === undefined || content.sha256 === sum.sha256) return undefined;
  return `its sum is ${content.sha256}, and ${sum.from} says ${sum.sha256}`;
}

async function admit({ cache }: Depot, { item, sum, partial, source }: Fetching, { content }: Whole): Promise<Blob> {
  const blob = await cache.admit(partial, content);
  await dropPartial(partial);
  // What one cluster file says holds for that cluster only.
  if (sum?.own !== true)
    await memorise(cache.folder, item.url, { ...content, from: sum?.from ?? `${source.site}, at first download` });
  return blob;
}

async function setAside({ cache }: Depot, partial: string, why: string): Promise<void> {
  await cache.quarantine(partial, why);
  await dropPartial(partial);
}

/** With a share of chance, so that many do not come back at once. */
const waitFor = (ms: number, signal: AbortSignal) =>
  pause(ms * (0.75 + Math.random() / 2), undefined, { signal }).catch((error: unknown) => {
    throw fail('INTERRUPTED', {}, error);
  });
