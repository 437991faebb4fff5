import { createHash } from 'node:crypto';
import { fail } from '../../common/errors/errors.ts';
import { withoutCredentials } from '../../common/secret.ts';
import { withCacheLock, type Blob } from '../cache/cache.ts';
import { writeChecksumRecord } from '../cache/checksum-record.ts';
import { fileTitle, type FileItem } from '../item.ts';
import { mirrorOrigin } from '../trust.ts';
import type { Downloader } from './downloader.ts';
import { fetchContent, type TransferContext } from './fetch-content.ts';
import { downloadSources, type DownloadSource } from './sources.ts';
import { fetchPublishedChecksum, knownChecksum, type ExpectedChecksum } from './expected-checksum.ts';

/** Returns a file from the cache. Downloads and verifies the file first if necessary. */
export async function downloadFile(downloader: Downloader, item: FileItem, ctx: TransferContext): Promise<Blob> {
  const cached = await findFile(downloader, item);
  if (cached) return cached;
  if (downloader.http.offline)
    throw fail('OFFLINE_MISSING', { item: fileTitle(item), url: withoutCredentials(item.url) });
  return withCacheLock(
    downloader.cache,
    item.url,
    async () => (await findFile(downloader, item)) ?? fetchFile(downloader, item, ctx),
    ctx,
  );
}

/** Finds a file in the cache. Returns undefined if it has not been downloaded. */
export async function findFile(
  downloader: Pick<Downloader, 'cache' | 'checksums' | 'trust'>,
  item: FileItem,
): Promise<Blob | undefined> {
  const checksum = await knownChecksum(downloader, item);
  return checksum && downloader.cache.find(checksum.sha256);
}

async function fetchFile(downloader: Downloader, item: FileItem, ctx: TransferContext): Promise<Blob> {
  const checksum =
    (await knownChecksum(downloader, item)) ?? (await fetchPublishedChecksum(downloader, item, ctx.signal));
  const cached = checksum && (await downloader.cache.find(checksum.sha256));
  if (cached) return cached;
  const sources = allowedSources(downloader, item, checksum).map((source) => ({ ...source, http: downloader.http }));
  const title = fileTitle(item);
  if (sources.length === 0) throw fail('SUM_UNKNOWN', { item: title, name: item.name, why: unknownReason(item) });
  const { format, arch, url } = item;
  const key = createHash('sha256').update(url).digest('hex');
  const { blob, source } = await fetchContent(downloader, { title, key, sources, checksum, format, arch }, ctx);
  // A checksum from a cluster file applies only to that cluster.
  if (checksum?.fromUser !== true) {
    const from = checksum?.from ?? firstDownload(source);
    await writeChecksumRecord(downloader.cache.folder, item.url, { sha256: blob.sha256, size: blob.size, from });
  }
  return blob;
}

const firstDownload = ({ host, isPublisher }: DownloadSource) =>
  `${isPublisher ? host : mirrorOrigin(host)}, at first download`;

/**
 * Returns the sources to try. Without a checksum, these are the publisher if it uses TLS and publishes no checksums,
 * and mirrors that the cluster file trusts.
 */
function allowedSources(
  downloader: Downloader,
  item: FileItem,
  checksum: ExpectedChecksum | undefined,
): readonly DownloadSource[] {
  const all = downloadSources(item.url, downloader);
  if (checksum) return all.filter(({ host, isPublisher }) => isPublisher || host !== checksum.excludedHost);
  const publishesNone = item.checksumUrl === undefined;
  return all.filter(({ isPublisher, url }) =>
    isPublisher ? publishesNone && url.startsWith('https:') : downloader.trust.trustMirror,
  );
}

const unknownReason = ({ checksumUrl, url }: FileItem) =>
  checksumUrl === undefined
    ? `downloads from ${new URL(url).host} are not protected by TLS`
    : `the publisher, ${new URL(checksumUrl).host}, did not provide a checksum`;
