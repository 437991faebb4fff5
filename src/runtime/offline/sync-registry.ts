import type { BundleIndex } from '../../resource/bundle/bundle-index.ts';
import { catalogOf } from '../../resource/catalog/cluster-artifacts.ts';
import { openDownloader } from '../../resource/download/downloader.ts';
import { pullImage } from '../../resource/oci/pull.ts';
import { topDigest } from '../../resource/oci/layout.ts';
import { openRegistries } from '../../resource/oci/registry.ts';
import type { RegistryCredentials } from '../../resource/oci/authenticate.ts';
import { syncImages, type SyncResult, type SyncImage } from '../../resource/oci/sync.ts';
import { openCache } from '../../resource/cache/cache.ts';
import type { Arch } from '../../common/host.ts';
import { fail } from '../../common/errors/errors.ts';
import type { ReportProgress } from '../../common/progress.ts';
import { Secret } from '../../common/secret.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { pushName } from '../../config/model/own-registry.ts';
import { findArches } from '../plan/find-arches.ts';
import { clusterFolder } from '../../state/runs.ts';
import type { OnNewHostKey } from '../session/connect.ts';
import { withOwnRegistry } from '../session/own-registry.ts';
import { registryCredentials } from '../session/registry-credentials.ts';
import { loadBundles, readBundles } from './load-bundles.ts';

/** The images to sync, and the target registry. */
export interface SyncRequest {
  readonly bundles: readonly string[];
  /** Source of the images if no bundle is given, and of registry credentials. */
  readonly cluster: Cluster | undefined;
  readonly workdir: string;
  readonly arch: Arch | undefined;
  /** Defaults to the registry of the cluster. */
  readonly registry: string | undefined;
  readonly project: string | undefined;
  readonly credentials: RegistryCredentials;
  readonly offline: boolean;
  /** Do not load, pull or push anything. */
  readonly dryRun: boolean;
  readonly progress: ReportProgress;
  readonly onNewHostKey?: OnNewHostKey;
}

/** Loads or pulls images and pushes those that are missing in the registry. */
export async function syncRegistry(request: SyncRequest, signal: AbortSignal): Promise<readonly SyncResult[]> {
  const { cluster, progress } = request;
  const registry = request.registry ?? (cluster && pushTarget(cluster));
  if (registry === undefined)
    throw fail('USAGE', {
      message: 'No registry given.',
      help: 'kubexm offline sync bundle.tar.zst --registry HOST',
    });
  const fromFile = cluster
    ? withOwnRegistry(await registryCredentials(cluster), cluster, clusterFolder(request.workdir, cluster.name))
    : {};
  const credentials = { ...fromEnvironment(), ...fromFile[registry], ...request.credentials };
  const images =
    request.bundles.length > 0 ? await imagesOfBundles(request, signal) : await pullImages(request, fromFile, signal);
  await using registries = openRegistries({ ...fromFile, [registry]: credentials });
  const task = `Pushing to ${registry}`;
  // Awaited here because the registries are closed when this function returns.
  return await syncImages(
    { cache: openCache(), registries, knownBlobs: new Map() },
    images,
    {
      registry,
      project: request.project ?? cluster?.registry.namespaceOverride ?? '',
      credentials,
      dryRun: request.dryRun,
    },
    {
      signal,
      say: (detail) => progress({ task, detail }),
      onImage: (detail, done) => progress({ task, detail, done, total: images.length }),
    },
  );
}

/** The registry of the cluster that images are pushed to. */
function pushTarget({ registry }: Cluster): string | undefined {
  if (registry.type === 'none') return undefined;
  return registry.type === 'external' ? registry.name : pushName(registry);
}

async function imagesOfBundles({ bundles, progress, dryRun }: SyncRequest, signal: AbortSignal): Promise<Images> {
  const loaded = dryRun ? await readBundles(bundles) : await loadBundles(bundles, progress, signal);
  const byRef = new Map(loaded.flatMap(({ images }) => images).map((image) => [image.ref, image]));
  return [...byRef.values()].map(imageOf);
}

type Images = readonly SyncImage[];

const imageOf = ({ ref, manifests }: BundleIndex['images'][number]): SyncImage => ({
  ref,
  arches: manifests.map(({ arch }) => arch),
  digest: topDigest(manifests),
});

async function pullImages(
  { cluster, workdir, arch, offline, dryRun, progress, onNewHostKey }: SyncRequest,
  credentials: Readonly<Record<string, RegistryCredentials>>,
  signal: AbortSignal,
): Promise<Images> {
  if (!cluster)
    throw fail('USAGE', {
      message: 'No bundle and no cluster file given.',
      help: 'kubexm offline sync bundle.tar.zst --registry HOST',
    });
  const { images } = catalogOf(cluster, await findArches(cluster, workdir, arch, onNewHostKey));
  if (dryRun) return images;
  await using downloader = await openDownloader(cluster.artifacts, { offline, cluster: cluster.name });
  await using registries = openRegistries(credentials, { offline });
  for (const [done, image] of images.entries()) {
    const say = (detail: string) => progress({ task: 'Pulling images', detail, done, total: images.length });
    say(image.ref);
    await pullImage({ downloader, registries }, image, { signal, say });
  }
  return images;
}

/** Credentials for a registry that is not in the cluster file. */
function fromEnvironment(
  { KUBEXM_REGISTRY_USERNAME: username, KUBEXM_REGISTRY_PASSWORD: password } = process.env,
): RegistryCredentials {
  return { ...(username && { username }), ...(password && { password: new Secret(password) }) };
}
