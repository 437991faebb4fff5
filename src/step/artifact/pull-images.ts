import { openDownloader } from '../../resource/download/downloader.ts';
import type { ImageItem } from '../../resource/item.ts';
import { pullImage } from '../../resource/oci/pull.ts';
import { openRegistries, type RegistryCredentials } from '../../resource/oci/registry.ts';
import { findImage } from '../../resource/oci/image-store.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { forEachParallel } from '../../util/parallel.ts';
import { DONE } from '../contract/finding.ts';
import { defineStep, type GenericStep, type Step } from '../contract/step.ts';

/** Images that are to be on this machine, and how to get at them. */
export interface PullOptions {
  readonly images: readonly ImageItem[];
  readonly artifacts: Cluster['artifacts'];
  readonly credentials: Readonly<Record<string, RegistryCredentials>>;
  readonly offline: boolean;
}

/** Images are in the cache of this machine, for hosts or registries that cannot pull them. */
export const pullImages = (options: PullOptions): Step =>
  defineStep({
    name: 'artifact.pull-images',
    summary: `Pull ${options.images.length} images`,
    timeoutMs: THREE_HOURS,
    parts: () => [pulledImages(options)],
  });

const THREE_HOURS = 3 * 3_600_000;
const AT_ONCE = 2;

function pulledImages({ images, artifacts, credentials, offline }: PullOptions): GenericStep {
  return Object.freeze<GenericStep>({
    key: 'images:local',
    summary: `pull ${images.length} images`,
    async precheck() {
      await using downloader = await openDownloader(artifacts, { offline });
      const found = await Promise.all(images.map(({ ref, arches }) => findImage(downloader.cache, ref, arches)));
      const left = images.filter((_, at) => found[at] === undefined).map(({ ref }) => ref);
      return left.length === 0 ? DONE : { done: false, because: `not here: ${left.join(', ')}` };
    },
    async run(ctx) {
      await using downloader = await openDownloader(artifacts, { offline });
      await using registries = openRegistries(credentials, { offline });
      const watch = { signal: ctx.signal, say: (line: string) => ctx.say(line) };
      await forEachParallel(images, AT_ONCE, async (image) => {
        await pullImage({ downloader, registries }, image, watch);
        ctx.say(`${image.ref} is here`);
      });
    },
  });
}
