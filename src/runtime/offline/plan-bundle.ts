import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { compressionFor, type Compression } from '../../resource/bundle/compression.ts';
import { openBundleFile } from '../../resource/bundle/open.ts';
import { catalogOf, type Arches } from '../../resource/catalog/cluster-artifacts.ts';
import type { Catalog, FileItem, ImageItem } from '../../resource/item.ts';
import { fail } from '../../common/errors/errors.ts';
import type { Arch } from '../../common/host.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { clusterFolder } from '../../state/runs.ts';
import { findArches } from '../plan/find-arches.ts';
import { registryCredentials } from '../session/registry-credentials.ts';
import { findPackages, type PackageRequest } from './find-packages.ts';
import { findZstd } from './zstd.ts';

/** The requested content of a bundle. */
export interface BundleRequest extends PackageRequest {
  readonly path: string;
  /** Overrides the architectures of the hosts, unless empty. */
  readonly arches: readonly Arch[];
  /** Path of the base bundle, for a delta bundle. */
  readonly base: string | undefined;
}

/** Collects the input for packaging a bundle. Queries hosts for what the cluster file does not specify. */
export async function planBundle(cluster: Cluster, request: BundleRequest) {
  const zstd = await findZstd();
  // Fails early, before long downloads.
  compressionFor(request.path, zstd);
  await checkWritable(request.path);
  const base = request.base === undefined ? undefined : await indexOf(request.base, zstd);
  const { files, images, warnings, arches } = await catalogFor(cluster, request);
  const [credentials, found] = await Promise.all([registryCredentials(cluster), findPackages(cluster, request)]);
  const { artifacts, name, kubernetes } = cluster;
  const downloads = { files, images };
  const assets = { ...downloads, downloads, artifacts, credentials, offline: request.offline };
  const notes = [...warnings, ...found.notes];
  const about = { cluster: name, kubernetes: kubernetes.version, arches, notes, base };
  return {
    warnings: notes,
    assets: { ...assets, folder: clusterFolder(request.workdir, name) },
    packaging: {
      packages: found.packages,
      bundle: { ...about, path: request.path, files, images, systems: found.systems, artifacts, zstd },
    },
  };
}

async function checkWritable(path: string): Promise<void> {
  const folder = dirname(resolve(path));
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    const isFolder = await stat(path).then(
      (entry) => entry.isDirectory(),
      () => false,
    );
    if (isFolder) throw new Error('it is a directory');
  } catch (error) {
    throw fail('FILE_UNWRITABLE', { path, reason: error instanceof Error ? error.message : String(error) }, error);
  }
}

async function indexOf(path: string, zstd: Compression | undefined) {
  await using bundle = await openBundleFile(path, zstd);
  return bundle.index;
}

/** The catalog for the actual architectures of the hosts, or for every requested architecture. */
async function catalogFor(cluster: Cluster, { arches, workdir, onNewHostKey }: BundleRequest) {
  if (arches.length === 0) {
    const known = await findArches(cluster, workdir, undefined, onNewHostKey);
    return { ...catalogOf(cluster, known), arches: [...new Set(known.values())] };
  }
  const catalogs = arches.map((arch) => catalogOf(cluster, sameArch(cluster, arch)));
  return { ...merge(catalogs), arches };
}

const sameArch = ({ hosts }: Cluster, arch: Arch): Arches => new Map(hosts.map(({ name }) => [name, arch]));

function merge(catalogs: readonly Catalog[]): Catalog {
  const files = new Map(catalogs.flatMap((one) => one.files).map((file): [string, FileItem] => [file.path, file]));
  const images = new Map<string, ImageItem>();
  for (const image of catalogs.flatMap((one) => one.images)) {
    const arches = [...(images.get(image.ref)?.arches ?? []), ...image.arches];
    images.set(image.ref, { ...image, arches: [...new Set(arches)].sort() });
  }
  const warnings = [...new Set(catalogs.flatMap((one) => one.warnings))];
  return { files: [...files.values()], images: [...images.values()], warnings };
}
