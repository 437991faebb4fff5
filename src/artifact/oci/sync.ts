import { createHash } from 'node:crypto';
import type { Arch } from '../../common/host.ts';
import { fail } from '../../common/errors.ts';
import { ask } from '../download/ask.ts';
import type { Patience } from '../download/depot.ts';
import type { Watch } from '../download/fetch-content.ts';
import { ensureProjects } from './harbor.ts';
import { topOf } from './layout.ts';
import { ACCEPTED } from './manifest.ts';
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
    const isThere = await hasImage(pusher, image, target, watch);
    if (!isThere) await pushImage(pusher, image, target, watch);
    synced.push({ ref: image.ref, target, outcome: isThere ? 'was there' : 'pushed' });
  }
  return synced;
}

/** Whether the registry has exactly this image under this name. */
async function hasImage(
  { cache, registries }: Pusher,
  { ref, arches }: { readonly ref: string; readonly arches: readonly Arch[] },
  target: string,
  { signal }: Watch,
): Promise<boolean> {
  const found = await findImage(cache, ref, arches);
  if (!found) throw fail('OFFLINE_MISSING', { item: ref, url: ref });
  const { descriptor } = await topOf(cache, found.image);
  const { registry, repository, tag } = parseReference(target);
  const open = registries.get(registry);
  const place = open.url(`/v2/${repository}/manifests/${tag}`);
  const answer = await ask(open.http, place, { item: target, headers: { accept: ACCEPTED }, signal }, QUICK);
  if (answer.type === 'none') return false;
  return descriptor.digest === `sha256:${createHash('sha256').update(answer.text).digest('hex')}`;
}

/** Pushing is the more patient of the two. */
const QUICK: Patience = { stallMs: 30_000, answerMs: 30_000, tries: 1, pauseMs: 0 };
