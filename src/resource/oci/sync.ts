import type { Arch } from '../../common/host.ts';
import { fail } from '../../common/errors/errors.ts';
import type { TransferContext } from '../download/fetch-content.ts';
import { ensureProjects, isHarbor } from './harbor.ts';
import { hasImage } from './has-image.ts';
import { pushImage } from './push.ts';
import type { RegistryCredentials } from './authenticate.ts';
import { findImage } from './image-store.ts';
import { projectNames, targetNames } from './target-name.ts';
import type { Pusher } from './upload-blob.ts';

/** The registry to push to, and the image names to use in it. */
export interface SyncTarget {
  readonly registry: string;
  /** One project for all images; empty to keep the original projects. */
  readonly project: string;
  readonly credentials: RegistryCredentials;
  /** Whether to report what would be pushed, without changing the registry. */
  readonly dryRun: boolean;
}

/** An image to push, with its digest if it is known. */
export interface SyncImage {
  readonly ref: string;
  readonly arches: readonly Arch[];
  readonly digest?: string;
}

/** The result for one image. */
export interface SyncResult {
  readonly ref: string;
  readonly target: string;
  readonly outcome: 'pushed' | 'was there' | 'would be pushed';
}

/** Pushes cached images that a registry does not have yet. */
export async function syncImages(
  pusher: Pusher,
  images: readonly SyncImage[],
  { registry: host, project, credentials, dryRun }: SyncTarget,
  ctx: TransferContext & { readonly onImage: (target: string, done: number) => void },
): Promise<readonly SyncResult[]> {
  const registry = pusher.registries.get(host);
  const harbor = await isHarbor(registry, credentials, ctx.signal);
  const targets = targetNames(
    images.map(({ ref }) => ref),
    { registry: host, project, harbor },
  );
  const names = projectNames(targets.map(({ target }) => target));
  const created = harbor && !dryRun ? await ensureProjects(registry, credentials, names, ctx.signal) : [];
  for (const name of created) ctx.say(`created project ${name}`);
  const results: SyncResult[] = [];
  for (const [at, image] of images.entries()) {
    const { target } = targets[at]!;
    ctx.onImage(target, at);
    if (!dryRun && !(await findImage(pusher.cache, image.ref, image.arches)))
      throw fail('OFFLINE_MISSING', { item: image.ref, url: image.ref });
    const exists = await hasImage(pusher, image, target, ctx.signal);
    if (!exists && !dryRun) await pushImage(pusher, image, target, ctx);
    const outcome = dryRun ? 'would be pushed' : 'pushed';
    results.push({ ref: image.ref, target, outcome: exists ? 'was there' : outcome });
  }
  return results;
}
