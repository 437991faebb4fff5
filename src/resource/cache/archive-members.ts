import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { list } from 'tar';
import type { Json } from '../../common/json.ts';
import { fieldOf, numberOf, textOf } from '../../util/json-fields.ts';
import type { ArtifactCache, Blob } from './cache.ts';
import { readJson, writeJson } from './json-file.ts';

/** A file of an archive. */
export interface Member {
  /** As the archive has it: "bin/containerd". */
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}

/** The files of an archive of the cache with their sums; it is read once, for good. */
export async function membersOf(cache: ArtifactCache, blob: Blob): Promise<readonly Member[]> {
  const path = join(cache.folder, 'members', `${blob.sha256}.json`);
  const known = fieldOf(await readJson(path), 'members');
  if (Array.isArray(known)) return known.map(memberOf);
  const members = await readMembers(blob.path);
  await writeJson(path, { members: members.map((one) => ({ ...one })) });
  return members;
}

const memberOf = (json: Json): Member => ({
  name: textOf(json, 'name'),
  size: numberOf(json, 'size'),
  sha256: textOf(json, 'sha256'),
});

async function readMembers(file: string): Promise<readonly Member[]> {
  const found: Member[] = [];
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
