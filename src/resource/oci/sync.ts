import type { Arch } from '../../common/host.ts';
import { fail } from '../../common/errors/errors.ts';
import type { Watch } from '../download/fetch-content.ts';
import { ensureProjects, isHarbor } from './harbor.ts';
import { hasImage } from './has-image.ts';
import { pushImage } from './push.ts';
import type { RegistryCredentials } from './registry.ts';
import { findImage } from './image-store.ts';
import { projectsOf, targetsOf } from './target-name.ts';
import type { Pusher } from './upload-blob.ts';

/** Where images of the cache go, and under which names. */
export interface SyncTarget {
  readonly registry: string;
  /** The project for all of them; empty for those of their publishers. */
  readonly project: string;
  readonly access: RegistryCredentials;
  /** Only look what would be done. */
  readonly dryRun: boolean;
}

/** An image that is to be there, and its digest where it is known. */
export interface SyncedImage {
  readonly ref: string;
  readonly arches: readonly Arch[];
  readonly digest?: string;
}

/** What became of one image. */
export interface Synced {
  readonly ref: string;
  readonly target: string;
  readonly outcome: 'pushed' | 'was there' | 'would be pushed';
}

/** Puts images of the cache into a registry that has not got them. */
export async function syncImages(
  pusher: Pusher,
  images: readonly SyncedImage[],
  { registry, project, access, dryRun }: SyncTarget,
  watch: Watch & { readonly onImage: (target: string, done: number) => void },
): Promise<readonly Synced[]> {
  const there = pusher.registries.get(registry);
  const harbor = await isHarbor(there, access, watch.signal);
  const targets = targetsOf(
    images.map(({ ref }) => ref),
    { registry, project, harbor },
  );
  const names = projectsOf(targets.map(({ target }) => target));
  const made = harbor && !dryRun ? await ensureProjects(there, access, names, watch.signal) : [];
  for (const name of made) watch.say(`the project ${name} is made`);
  const synced: Synced[] = [];
  for (const [at, image] of images.entries()) {
    const { target } = targets[at]!;
    watch.onImage(target, at);
    if (!dryRun && !(await findImage(pusher.cache, image.ref, image.arches)))
      throw fail('OFFLINE_MISSING', { item: image.ref, url: image.ref });
    const isThere = await hasImage(pusher, image, target, watch.signal);
    if (!isThere && !dryRun) await pushImage(pusher, image, target, watch);
    const done = dryRun ? 'would be pushed' : 'pushed';
    synced.push({ ref: image.ref, target, outcome: isThere ? 'was there' : done });
  }
  return synced;
}
