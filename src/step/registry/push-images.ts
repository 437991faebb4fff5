import { clusterOf, type Assets } from '../../resource/assets.ts';
import { openCache } from '../../resource/cache/cache.ts';
import { openDownloader } from '../../resource/download/downloader.ts';
import type { ImageItem } from '../../resource/item.ts';
import { pullImage } from '../../resource/oci/pull.ts';
import { pushImage } from '../../resource/oci/push.ts';
import { openRegistries, type Registries } from '../../resource/oci/registry.ts';
import type { RegistryCredentials } from '../../resource/oci/authenticate.ts';
import { ensureProjects } from '../../resource/oci/harbor.ts';
import { privateName, projectNames } from '../../resource/oci/target-name.ts';
import type { TransferContext } from '../../resource/download/fetch-content.ts';
import { hasImage } from '../../resource/oci/has-image.ts';
import { pushName } from '../../config/model/own-registry.ts';
import { forEachParallel } from '../../util/parallel.ts';
import { findingOf } from '../contract/finding.ts';
import type { Finding, GenericStep } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';
import type { ManagedRegistry } from './managed-registry.ts';

/** Pushes the downloaded images to the registry of the cluster. */
export const pushImagesTo = (registry: ManagedRegistry, assets: Assets): Step =>
  defineStep({
    name: 'registry.push-images',
    summary: `Push ${assets.downloads.images.length} images to ${registry.name}`,
    timeoutMs: THREE_HOURS,
    parts: () => [pushedImages({ ...registry, name: pushName(registry) }, assets)],
  });

const THREE_HOURS = 3 * 3_600_000;
const PARALLEL = 2;

function pushedImages(
  registry: ManagedRegistry,
  { downloads: { images }, artifacts, credentials, folder, offline }: Assets,
): GenericStep {
  return Object.freeze<GenericStep>({
    key: `images:${registry.name}`,
    summary: `push images to ${registry.name}`,
    async precheck({ signal }) {
      await using registries = openRegistries(credentials);
      return await findMissing(images, { registries, registry, signal });
    },
    async run(ctx) {
      const { signal } = ctx;
      await using registries = openRegistries(credentials);
      await using downloader = await openDownloader(artifacts, { offline, cluster: clusterOf({ folder }) });
      const pusher = { cache: downloader.cache, registries, knownBlobs: new Map<string, string>() };
      const watch = { signal, say: (line: string) => ctx.say(line) };
      await createProjects(registry, images, { registries, access: credentials[registry.name] ?? {}, watch });
      await forEachParallel(images, PARALLEL, async (image) => {
        const target = privateName(registry, image.ref);
        if (await hasImage(pusher, image, target, signal)) return;
        await pullImage({ downloader, registries }, image, watch);
        await pushImage(pusher, image, target, watch);
      });
    },
  });
}

interface ProjectContext {
  readonly registries: Registries;
  readonly access: RegistryCredentials;
  readonly watch: TransferContext;
}

/** Harbor accepts images only for existing projects. */
async function createProjects(
  registry: ManagedRegistry,
  images: readonly ImageItem[],
  { registries, access, watch }: ProjectContext,
): Promise<void> {
  if (registry.type !== 'harbor') return;
  const names = projectNames(images.map(({ ref }) => privateName(registry, ref)));
  const created = await ensureProjects(registries.get(registry.name), access, names, watch.signal);
  for (const name of created) watch.say(`created project ${name}`);
}

interface SearchContext {
  readonly registries: Registries;
  readonly registry: ManagedRegistry;
  readonly signal: AbortSignal;
}

/** An unreachable registry is not an error: it may not be installed yet. */
async function findMissing(
  images: readonly ImageItem[],
  { registries, registry, signal }: SearchContext,
): Promise<Finding> {
  const cache = openCache();
  const missing: string[] = [];
  try {
    await forEachParallel(images, PARALLEL, async (image) => {
      if (!(await hasImage({ cache, registries }, image, privateName(registry, image.ref), signal)))
        missing.push(image.ref);
    });
  } catch (error) {
    if (signal.aborted) throw error;
    return findingOf([`the registry is unreachable: ${error instanceof Error ? error.message : String(error)}`]);
  }
  return findingOf(missing.length === 0 ? [] : [`missing: ${missing.toSorted().join(', ')}`]);
}
