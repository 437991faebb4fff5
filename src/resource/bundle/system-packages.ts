import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Arch } from '../../common/host.ts';
import type { ArtifactCache } from '../cache/cache.ts';
import { readJson, writeJson } from '../cache/json-file.ts';
import { parsePackages, type SystemPackages } from './bundle-index.ts';

/** A kind of host, and what it is to install. */
export interface PackageNeed {
  /** "debian-12" */
  readonly id: string;
  readonly arch: Arch;
  readonly wanted: readonly string[];
}

/** Remembers which packages of a system are in the cache, beside those of other clusters that want others. */
export const storePackages = (cache: ArtifactCache, system: SystemPackages): Promise<void> =>
  writeJson(join(folderOf(cache, system), `${hashOf(system.wanted)}.json`), system);

/** The packages that came last of those that bring all that is wanted; undefined when none do. */
export async function recallPackages(cache: ArtifactCache, need: PackageNeed): Promise<SystemPackages | undefined> {
  const folder = folderOf(cache, need);
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const [system, { mtimeMs }] = await Promise.all([readJson(path).then(parsePackages), stat(path)]);
      return system && need.wanted.every((one) => system.wanted.includes(one)) ? [{ system, mtimeMs }] : [];
    }),
  );
  return found.flat().toSorted((a, b) => b.mtimeMs - a.mtimeMs)[0]?.system;
}

const folderOf = ({ folder }: ArtifactCache, { id, arch }: Pick<PackageNeed, 'id' | 'arch'>) =>
  join(folder, 'packages', `${id}-${arch}`);

const hashOf = (names: readonly string[]) =>
  createHash('sha256').update(names.toSorted().join('\n')).digest('hex').slice(0, 16);
