import { link, mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { digestFile, digestText, writeArchive, type FileDigest } from './archive.ts';
import type { Publication } from './component.ts';
import { tarEntries } from './entries.ts';
import { withFolders } from '../../util/tar.ts';

/** A file in the mirror. */
export interface PublishedFile extends FileDigest {
  /** Host and path of the upstream URL, without the scheme. */
  readonly url: string;
}

/** Writes a file and its checksum file, if it has one, under their upstream host and path. */
export async function publish(
  publication: Publication,
  pieces: string,
  folder: string,
  digests: Map<string, FileDigest>,
  signal?: AbortSignal,
): Promise<readonly PublishedFile[]> {
  const { url, sums: checksumFile } = publication;
  const path = join(folder, url);
  await mkdir(dirname(path), { recursive: true });
  const { sha256, size } = await write(publication, pieces, path, digests, signal);
  const file = { url, sha256, size };
  if (checksumFile === undefined) return [file];
  const text = checksumFile.style === 'bare' ? sha256 : `${sha256}  ${basename(url)}\n`;
  await writeFile(join(folder, checksumFile.url), text);
  return [file, { url: checksumFile.url, ...digestText(text) }];
}

/** Pieces are hard-linked, not copied, because one Kubernetes binary is published under seven names. */
async function write(
  { content }: Publication,
  pieces: string,
  path: string,
  digests: Map<string, FileDigest>,
  signal?: AbortSignal,
): Promise<FileDigest> {
  switch (content.type) {
    case 'archive':
      return writeArchive(path, withFolders(await tarEntries(content.entries, pieces)), signal);
    case 'text':
      await writeFile(path, content.text);
      return digestText(content.text);
    case 'piece': {
      const from = join(pieces, content.piece);
      const digest = digests.get(from) ?? (await digestFile(from));
      digests.set(from, digest);
      await link(from, path);
      return digest;
    }
  }
}
