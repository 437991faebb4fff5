import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { openBundleFile, packingFor, type Packing } from '../../resource/bundle/compression.ts';
import { catalogOf, type Arches } from '../../resource/catalog/catalog.ts';
import type { Catalog, FileItem, ImageItem } from '../../resource/item.ts';
import { fail } from '../../common/errors/errors.ts';
import type { Arch } from '../../common/host.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { clusterFolder } from '../../state/runs.ts';
import { findArches } from '../plan/find-arches.ts';
import { registryCredentials } from '../session/registry-credentials.ts';
import { findPackages, type PackageWish } from './find-packages.ts';
import { findZstd } from './zstd.ts';

/** What is asked of a bundle. */
export interface BundleWish extends PackageWish {
  readonly path: string;
  /** For hosts of these architectures, whatever the file or the hosts say. */
  readonly arches: readonly Arch[];
  /** A bundle that is there already. */
  readonly base: string | undefined;
}

/** Everything that a plan for a bundle is made from; asks hosts where the file does not tell. */
export async function planBundle(cluster: Cluster, wish: BundleWish) {
  const zstd = await findZstd();
  // What cannot be written is told before hours of downloads.
  packingFor(wish.path, zstd);
  await checkPlace(wish.path);
  const base = wish.base === undefined ? undefined : await indexOf(wish.base, zstd);
  const { files, images, warnings, arches } = await catalogFor(cluster, wish);
  const [credentials, found] = await Promise.all([registryCredentials(cluster), findPackages(cluster, wish)]);
  const { artifacts, name, kubernetes } = cluster;
  const fetch = { files, images };
  const assets = { ...fetch, fetch, artifacts, credentials, offline: wish.offline };
  const notes = [...warnings, ...found.notes];
  const about = { cluster: name, kubernetes: kubernetes.version, arches, notes, base };
  return {
    warnings: notes,
    assets: { ...assets, folder: clusterFolder(wish.workdir, name) },
    packaging: {
      packages: found.packages,
      bundle: { ...about, path: wish.path, files, images, systems: found.systems, artifacts, zstd },
    },
  };
}

/** Whether a file can be made there. */
async function checkPlace(path: string): Promise<void> {
  const folder = dirname(resolve(path));
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    const isFolder = await stat(path).then(
      (there) => there.isDirectory(),
      () => false,
    );
    if (isFolder) throw new Error('it is a folder');
  } catch (error) {
    throw fail('FILE_UNWRITABLE', { path, reason: error instanceof Error ? error.message : String(error) }, error);
  }
}

async function indexOf(path: string, zstd: Packing | undefined) {
  await using bundle = await openBundleFile(path, zstd);
  return bundle.index;
}

/** The catalog for the hosts as they are, or for all hosts of each architecture that is asked for. */
async function catalogFor(cluster: Cluster, { arches, workdir }: BundleWish) {
  if (arches.length === 0) {
    const known = await findArches(cluster, workdir, undefined);
    return { ...catalogOf(cluster, known), arches: [...new Set(known.values())] };
  }
  const catalogs = arches.map((arch) => catalogOf(cluster, allOf(cluster, arch)));
  return { ...merged(catalogs), arches };
}

const allOf = ({ hosts }: Cluster, arch: Arch): Arches => new Map(hosts.map(({ name }) => [name, arch]));

function merged(catalogs: readonly Catalog[]): Catalog {
  const files = new Map(catalogs.flatMap((one) => one.files).map((file): [string, FileItem] => [file.path, file]));
  const images = new Map<string, ImageItem>();
  for (const image of catalogs.flatMap((one) => one.images)) {
    const arches = [...(images.get(image.ref)?.arches ?? []), ...image.arches];
    images.set(image.ref, { ...image, arches: [...new Set(arches)].sort() });
  }
  const warnings = [...new Set(catalogs.flatMap((one) => one.warnings))];
  return { files: [...files.values()], images: [...images.values()], warnings };
}
