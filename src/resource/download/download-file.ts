import { createHash } from 'node:crypto';
import { fail } from '../../common/errors/errors.ts';
import { withoutCredentials } from '../../common/secret.ts';
import { aloneWith, type Blob } from '../cache/cache.ts';
import { memorise } from '../cache/checksum-record.ts';
import { fileTitle, type FileItem } from '../item.ts';
import type { Depot } from './downloader.ts';
import { fetchContent, type Watch } from './fetch-content.ts';
import { sourcesOf, type Source } from './sources.ts';
import { askedSum, knownSum, type Sum } from './expected-checksum.ts';

/** Brings a file into the cache, whole and checked, unless it is there. */
export async function downloadFile(depot: Depot, item: FileItem, watch: Watch): Promise<Blob> {
  const there = await inCache(depot, item);
  if (there) return there;
  if (depot.http.offline) throw fail('OFFLINE_MISSING', { item: fileTitle(item), url: withoutCredentials(item.url) });
  return aloneWith(
    depot.cache,
    item.url,
    async () => (await inCache(depot, item)) ?? fetchFile(depot, item, watch),
    watch,
  );
}

async function inCache(depot: Depot, item: FileItem): Promise<Blob | undefined> {
  const sum = await knownSum(depot, item);
  return sum && depot.cache.find(sum.sha256);
}

async function fetchFile(depot: Depot, item: FileItem, watch: Watch): Promise<Blob> {
  const sum = (await knownSum(depot, item)) ?? (await askedSum(depot, item, watch.signal));
  const there = sum && (await depot.cache.find(sum.sha256));
  if (there) return there;
  const sources = allowedSources(depot, item, sum).map((source) => ({ ...source, http: depot.http }));
  const title = fileTitle(item);
  if (sources.length === 0) throw fail('SUM_UNKNOWN', { item: title, name: item.name, why: whyUnknown(item) });
  const { content, arch, url } = item;
  const key = createHash('sha256').update(url).digest('hex');
  const { blob, source } = await fetchContent(depot, { title, key, sources, sum, content, arch }, watch);
  // What one cluster file says holds for that cluster only.
  if (sum?.own !== true) {
    const from = sum?.from ?? `${source.site}, at first download`;
    await memorise(depot.cache.folder, item.url, { sha256: blob.sha256, size: blob.size, from });
  }
  return blob;
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
