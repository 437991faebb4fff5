import { link, mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { sumOf, sumOfText, writeArchive, type Sum } from './archive.ts';
import type { Publication } from './component.ts';
import { tarEntries } from './entries.ts';
import { withFolders } from '../../util/tar.ts';

/** A file of the mirror by host and path. */
export interface PublishedFile extends Sum {
  readonly url: string;
}

/** Writes a file of a publisher into a folder laid out like the internet, with the sums the publisher offers. */
export async function publish(
  publication: Publication,
  pieces: string,
  folder: string,
  sums: Map<string, Sum>,
  signal?: AbortSignal,
): Promise<readonly PublishedFile[]> {
  const { url, sums: at } = publication;
  const path = join(folder, url);
  await mkdir(dirname(path), { recursive: true });
  const sum = await write(publication, pieces, path, sums, signal);
  const file = { url, sha256: sum.sha256, size: sum.size };
  if (at === undefined) return [file];
  const text = at.style === 'bare' ? sum.sha256 : `${sum.sha256}  ${basename(url)}\n`;
  await writeFile(join(folder, at.url), text);
  return [file, { url: at.url, ...sumOfText(text) }];
}

/** A piece is linked, not copied: seven names of one program take the room of one. */
async function write(
  { content }: Publication,
  pieces: string,
  path: string,
  sums: Map<string, Sum>,
  signal?: AbortSignal,
): Promise<Sum> {
  switch (content.type) {
    case 'archive':
      return writeArchive(path, withFolders(await tarEntries(content.entries, pieces)), signal);
    case 'text':
      await writeFile(path, content.text);
      return sumOfText(content.text);
    case 'piece': {
      const from = join(pieces, content.piece);
      const sum = sums.get(from) ?? (await sumOf(from));
      sums.set(from, sum);
      await link(from, path);
      return sum;
    }
  }
}
