import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Arch } from '../../common/host.ts';
import type { ArtifactCache } from '../cache/cache.ts';
import { readJson, writeJson } from '../cache/json-file.ts';
import { parsePackages, type SystemPackages } from './bundle-index.ts';

/** The packages to install on hosts with one operating system. */
export interface PackageNeed {
  /** ID of the operating system, such as "debian-12". */
  readonly id: string;
  readonly arch: Arch;
  readonly wanted: readonly string[];
}

/** Records which packages for an operating system are in the cache, with one record for each set of wanted packages. */
export const writePackageRecord = (cache: ArtifactCache, system: SystemPackages): Promise<void> =>
  writeJson(join(folderOf(cache, system), `${hashOf(system.wanted)}.json`), system);

/** Returns the newest record that contains all wanted packages, or undefined if there is none. */
export async function findPackageRecord(cache: ArtifactCache, need: PackageNeed): Promise<SystemPackages | undefined> {
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

/** Finds a recorded package with the same version but different content. Repositories never publish a version twice. */
export async function findOtherPackage(
  cache: ArtifactCache,
  system: SystemPackages,
): Promise<SystemPackages['packages'][number] | undefined> {
  const folder = folderOf(cache, system);
  const names = await readdir(folder).catch(() => []);
  const records = await Promise.all(names.map((name) => readJson(join(folder, name)).then(parsePackages)));
  const known = new Map(
    records.flatMap((record) => record?.packages ?? []).map((one) => [`${one.name} ${one.version}`, one.sha256]),
  );
  return system.packages.find((one) => (known.get(`${one.name} ${one.version}`) ?? one.sha256) !== one.sha256);
}

const folderOf = ({ folder }: ArtifactCache, { id, arch }: Pick<PackageNeed, 'id' | 'arch'>) =>
  join(folder, 'packages', `${id}-${arch}`);

const hashOf = (names: readonly string[]) =>
  createHash('sha256').update(names.toSorted().join('\n')).digest('hex').slice(0, 16);
