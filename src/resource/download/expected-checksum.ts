import { readChecksumRecord, writeChecksumRecord } from '../cache/checksum-record.ts';
import { fileTitle, type FileItem } from '../item.ts';
import { isTrustedOrigin, mirrorOrigin, OVERRIDE } from '../trust.ts';
import { fetchText } from './fetch-text.ts';
import { listedChecksum, parseChecksums, publishedChecksum } from './checksum-file.ts';
import type { Downloader } from './downloader.ts';
import { downloadSources } from './sources.ts';

/** The checksum that a file must have, and its origin. */
export interface ExpectedChecksum {
  readonly sha256: string;
  /** Origin, such as "override", "checksums.txt" or "dl.k8s.io". */
  readonly from: string;
  /** The mirror that provided the checksum and therefore must not provide the file. */
  readonly excludedHost?: string;
  /** Whether the checksum is set in the cluster file or in the user's checksum file. */
  readonly fromUser?: boolean;
}

/** Looks up a checksum in the cluster file, the user's checksum file and the records of earlier downloads. */
export async function knownChecksum(
  { cache, checksums: { file, lines }, trust }: Pick<Downloader, 'cache' | 'checksums' | 'trust'>,
  { sha256, url }: Pick<FileItem, 'sha256' | 'url'>,
): Promise<ExpectedChecksum | undefined> {
  if (sha256 !== undefined) return { sha256, from: OVERRIDE, fromUser: true };
  const listed = listedChecksum(lines, url, file);
  if (listed !== undefined) return { sha256: listed, from: file, fromUser: true };
  const record = await readChecksumRecord(cache.folder, url);
  return record && isTrustedOrigin(record.from, trust) ? { sha256: record.sha256, from: record.from } : undefined;
}

/**
 * Fetches a checksum from the publisher or, if the publisher is unavailable, from a mirror. That mirror must not serve
 * the file, unless the cluster file trusts mirrors.
 */
export async function fetchPublishedChecksum(
  downloader: Downloader,
  item: FileItem,
  signal: AbortSignal,
): Promise<ExpectedChecksum | undefined> {
  if (item.checksumUrl === undefined) return undefined;
  const sources = downloadSources(item.checksumUrl, downloader).toSorted(
    (a, b) => Number(b.isPublisher) - Number(a.isPublisher),
  );
  // With a single mirror, the file and its checksum would have the same source, which proves nothing.
  const mirrors = sources.filter(({ isPublisher }) => !isPublisher);
  const { trustMirror } = downloader.trust;
  const usable = mirrors.length > 1 || trustMirror ? sources : sources.filter(({ isPublisher }) => isPublisher);
  for (const { url, host, isPublisher } of usable) {
    const response = await fetchText(downloader.http, url, { item: fileTitle(item), signal }, downloader.retry);
    const sha256 = response.type === 'text' ? publishedChecksum(parseChecksums(response.text), item.url) : undefined;
    if (sha256 === undefined) continue;
    if (!isPublisher)
      return trustMirror ? { sha256, from: mirrorOrigin(host) } : { sha256, from: host, excludedHost: host };
    await writeChecksumRecord(downloader.cache.folder, item.url, { sha256, from: host, size: 0 });
    return { sha256, from: host };
  }
  return undefined;
}
