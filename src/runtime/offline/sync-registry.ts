import type { BundleIndex } from '../../resource/bundle/bundle-index.ts';
import { catalogOf } from '../../resource/catalog/catalog.ts';
import { openDepot } from '../../resource/download/downloader.ts';
import { pullImage } from '../../resource/oci/pull.ts';
import { topDigest } from '../../resource/oci/layout.ts';
import { openRegistries, type RegistryCredentials } from '../../resource/oci/registry.ts';
import { syncImages, type Synced, type SyncedImage } from '../../resource/oci/sync.ts';
import { openCache } from '../../resource/cache/cache.ts';
import type { Arch } from '../../common/host.ts';
import { fail } from '../../common/errors/errors.ts';
import type { ReportProgress } from '../../common/progress.ts';
import { Secret } from '../../common/secret.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { findArches } from '../plan/find-arches.ts';
import { clusterFolder } from '../../state/runs.ts';
import { withOwnRegistry } from '../session/own-registry.ts';
import { registryCredentials } from '../session/registry-credentials.ts';
import { loadBundles, readBundles } from './load-bundles.ts';

/** What goes into which registry. */
export interface SyncWish {
  readonly bundles: readonly string[];
  /** Its images, where no bundle is named; its logins in any case. */
  readonly cluster: Cluster | undefined;
  readonly workdir: string;
  readonly arch: Arch | undefined;
  /** That of the cluster when undefined. */
  readonly registry: string | undefined;
  readonly project: string | undefined;
  readonly access: RegistryCredentials;
  readonly offline: boolean;
  /** Nothing is loaded, pulled or pushed. */
  readonly dryRun: boolean;
  readonly progress: ReportProgress;
}

/** Loads or pulls images, and pushes those that a registry has not got. */
export async function syncRegistry(wish: SyncWish, signal: AbortSignal): Promise<readonly Synced[]> {
  const { cluster, progress } = wish;
  const registry = wish.registry ?? (cluster && cluster.registry.type !== 'none' ? cluster.registry.name : undefined);
  if (registry === undefined)
    throw fail('USAGE', {
      message: 'No registry is named.',
      help: 'kubexm offline sync bundle.tar.zst --registry HOST',
    });
  const fromFile = cluster
    ? withOwnRegistry(await registryCredentials(cluster), cluster, clusterFolder(wish.workdir, cluster.name))
    : {};
  const access = { ...fromEnvironment(), ...fromFile[registry], ...wish.access };
  const images = wish.bundles.length > 0 ? await bundled(wish, signal) : await pulled(wish, fromFile, signal);
  await using registries = openRegistries({ ...fromFile, [registry]: access });
  const task = `Pushing to ${registry}`;
  // Waited for first: the registries are closed with this function.
  return await syncImages(
    { cache: openCache(), registries, known: new Map() },
    images,
    { registry, project: wish.project ?? cluster?.registry.namespaceOverride ?? '', access, dryRun: wish.dryRun },
    {
      signal,
      say: (detail) => progress({ task, detail }),
      onImage: (detail, done) => progress({ task, detail, done, total: images.length }),
    },
  );
}

async function bundled({ bundles, progress, dryRun }: SyncWish, signal: AbortSignal): Promise<Images> {
  const loaded = dryRun ? await readBundles(bundles) : await loadBundles(bundles, progress, signal);
  const byRef = new Map(loaded.flatMap(({ images }) => images).map((image) => [image.ref, image]));
  return [...byRef.values()].map(imageOf);
}

type Images = readonly SyncedImage[];

const imageOf = ({ ref, manifests }: BundleIndex['images'][number]): SyncedImage => ({
  ref,
  arches: manifests.map(({ arch }) => arch),
  digest: topDigest(manifests),
});

async function pulled(
  { cluster, workdir, arch, offline, dryRun, progress }: SyncWish,
  credentials: Readonly<Record<string, RegistryCredentials>>,
  signal: AbortSignal,
): Promise<Images> {
  if (!cluster)
    throw fail('USAGE', {
      message: 'Neither a bundle nor a cluster file is named.',
      help: 'kubexm offline sync bundle.tar.zst --registry HOST',
    });
  const { images } = catalogOf(cluster, await findArches(cluster, workdir, arch));
  if (dryRun) return images;
  await using depot = await openDepot(cluster.artifacts, { offline });
  await using registries = openRegistries(credentials, { offline });
  for (const [done, image] of images.entries()) {
    const say = (detail: string) => progress({ task: 'Pulling images', detail, done, total: images.length });
    say(image.ref);
    await pullImage({ depot, registries }, image, { signal, say });
  }
  return images;
}

/** For a registry that no file tells about. */
function fromEnvironment(
  { KUBEXM_REGISTRY_USERNAME: username, KUBEXM_REGISTRY_PASSWORD: password } = process.env,
): RegistryCredentials {
  return { ...(username && { username }), ...(password && { password: new Secret(password) }) };
}
