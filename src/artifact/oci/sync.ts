import type { Arch } from '../../common/host.ts';
import { fail } from '../../common/errors.ts';
import type { Watch } from '../download/fetch-content.ts';
import { ensureProjects } from './harbor.ts';
import { hasImage } from './has-image.ts';
import { pushImage } from './push.ts';
import { parseReference } from './reference.ts';
import type { RegistryAccess } from './registry.ts';
import { findImage } from './store.ts';
import { targetsOf } from './target.ts';
import type { Pusher } from './upload.ts';

/** Where images of the cache go, and under which names. */
export interface SyncTarget {
  readonly registry: string;
  /** The project for all of them; empty for those of their publishers. */
  readonly project: string;
  readonly access: RegistryAccess;
}

/** What became of one image. */
export interface Synced {
  readonly ref: string;
  readonly target: string;
  readonly outcome: 'pushed' | 'was there';
}

/** Puts images of the cache into a registry that has not got them. */
export async function syncImages(
  pusher: Pusher,
  images: readonly { readonly ref: string; readonly arches: readonly Arch[] }[],
  { registry, project, access }: SyncTarget,
  watch: Watch & { readonly onImage: (target: string, done: number) => void },
): Promise<readonly Synced[]> {
  const targets = targetsOf(
    images.map(({ ref }) => ref),
    registry,
    project,
  );
  const projects = [...new Set(targets.map(({ target }) => parseReference(target).repository.split('/')[0] ?? ''))];
  const made = await ensureProjects(pusher.registries.get(registry), access, projects, watch.signal);
  for (const name of made) watch.say(`the project ${name} is made`);
  const synced: Synced[] = [];
  for (const [at, image] of images.entries()) {
    const { target } = targets[at]!;
    watch.onImage(target, at);
    if (!(await findImage(pusher.cache, image.ref, image.arches)))
      throw fail('OFFLINE_MISSING', { item: image.ref, url: image.ref });
    const isThere = await hasImage(pusher, image, target, watch.signal);
    if (!isThere) await pushImage(pusher, image, target, watch);
    synced.push({ ref: image.ref, target, outcome: isThere ? 'was there' : 'pushed' });
  }
  return synced;
}
