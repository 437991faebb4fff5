import type { Blob } from '../../resource/cache/cache.ts';
import { archiveMembers, storedMembers, type ArchiveMember } from '../../resource/cache/archive-members.ts';
import { openDownloader } from '../../resource/download/downloader.ts';
import { fileTitle, type FileItem } from '../../resource/item.ts';
import { findFile } from '../../resource/download/download-file.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import type { Assets } from '../../resource/assets.ts';
import type { StepView } from '../contract/part.ts';

/** A file of the local cache that may not be downloaded yet. */
export interface CachedFile {
  /** "containerd 2.2.9 amd64" */
  readonly title: string;
  /** Undefined until it is downloaded. */
  find(): Promise<FoundFile | undefined>;
}

/** A file of the cache and its archive members; a file that is not an archive is its own member. */
export interface FoundFile {
  readonly blob: Blob;
  readonly archive: boolean;
  readonly members: readonly ArchiveMember[];
}

/** The file with this name for the architecture of a host. */
export function cachedFile(
  { files, artifacts }: { readonly files: readonly FileItem[]; readonly artifacts: Cluster['artifacts'] },
  name: string,
  { facts: { arch } }: StepView,
): CachedFile {
  const item = files.find((one) => one.name === name && (one.arch === undefined || one.arch === arch));
  if (!item) throw new TypeError(`${name} is not among the files for ${arch}`);
  return Object.freeze<CachedFile>({
    title: fileTitle(item),
    find: () => sharedLookup(files, item, () => lookUp(item, artifacts, archiveMembers)),
  });
}

/** Looks up the files that hosts need before the first host is checked. Reads no archives: installing them does. */
export async function lookUpFiles({ files, artifacts, downloads }: Assets): Promise<void> {
  const urls = new Set(downloads.files.map(({ url }) => url));
  const needed = files.filter(({ url }) => urls.has(url));
  await Promise.all(needed.map((item) => sharedLookup(files, item, () => lookUp(item, artifacts, storedMembers))));
}

/**
 * Looks up a file once for all hosts: thousands of hosts would read the same checksums, and a check that waits for the
 * disk misses the round trip of the other checks. A missing file is looked up again, because it may be downloaded.
 */
function sharedLookup(files: readonly FileItem[], item: FileItem, act: () => Promise<FoundFile | undefined>) {
  const known = lookups.get(files) ?? new Map<FileItem, Promise<FoundFile | undefined>>();
  lookups.set(files, known);
  const lookup = known.get(item) ?? act();
  known.set(item, lookup);
  const forget = () => known.get(item) === lookup && known.delete(item);
  void lookup.then((found) => found ?? forget(), forget);
  return lookup;
}

const lookups = new WeakMap<readonly FileItem[], Map<FileItem, Promise<FoundFile | undefined>>>();

async function lookUp(
  item: FileItem,
  artifacts: Cluster['artifacts'],
  membersOf: typeof storedMembers,
): Promise<FoundFile | undefined> {
  await using downloader = await openDownloader(artifacts, { offline: true });
  const blob = await findFile(downloader, item);
  if (!blob) return undefined;
  const { format, name } = item;
  if (format !== 'gzip') return { blob, archive: false, members: [{ name, size: blob.size, sha256: blob.sha256 }] };
  const members = await membersOf(downloader.cache, blob);
  return members && { blob, archive: true, members };
}
