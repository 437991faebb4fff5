import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { list } from 'tar';
import type { Json } from '../../common/json.ts';
import { fieldOf, numberOf, textOf } from '../../util/json-fields.ts';
import type { ArtifactCache, Blob } from './cache.ts';
import { readJson, writeJson } from './json-file.ts';

/** A file inside an archive. */
export interface ArchiveMember {
  /** Path inside the archive, such as "bin/containerd". */
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}

/**
 * Lists the files in a cached archive with their checksums. Stores the list, so that each archive is read only once.
 */
export async function archiveMembers(cache: ArtifactCache, blob: Blob): Promise<readonly ArchiveMember[]> {
  const known = await storedMembers(cache, blob);
  if (known) return known;
  const members = await readMembers(blob.path);
  await writeJson(listPath(cache, blob), { members: members.map((one) => ({ ...one })) });
  return members;
}

/** Returns the stored list of an archive; undefined if the archive was never read. */
export async function storedMembers(cache: ArtifactCache, blob: Blob): Promise<readonly ArchiveMember[] | undefined> {
  const known = fieldOf(await readJson(listPath(cache, blob)), 'members');
  return Array.isArray(known) ? known.map(memberOf) : undefined;
}

const listPath = ({ folder }: ArtifactCache, { sha256 }: Blob) => join(folder, 'members', `${sha256}.json`);

const memberOf = (json: Json): ArchiveMember => ({
  name: textOf(json, 'name'),
  size: numberOf(json, 'size'),
  sha256: textOf(json, 'sha256'),
});

async function readMembers(file: string): Promise<readonly ArchiveMember[]> {
  const found: ArchiveMember[] = [];
  await list({
    file,
    strict: true,
    onReadEntry: (entry) => {
      if (entry.type !== 'File' && entry.type !== 'OldFile') {
        entry.resume();
        return;
      }
      const hash = createHash('sha256');
      const { path: name, size } = entry;
      entry.on('data', (chunk) => hash.update(chunk));
      entry.on('end', () => found.push({ name, size, sha256: hash.digest('hex') }));
    },
  });
  return found;
}
