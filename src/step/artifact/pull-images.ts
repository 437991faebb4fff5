import { clusterOf, type Assets } from '../../resource/assets.ts';
import { openDownloader } from '../../resource/download/downloader.ts';
import { pullImage } from '../../resource/oci/pull.ts';
import { openRegistries } from '../../resource/oci/registry.ts';
import { findExpectedImage } from '../../resource/oci/expected-digest.ts';
import { forEachParallel } from '../../util/parallel.ts';
import { DONE } from '../contract/finding.ts';
import type { GenericStep } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';

/** Pulls images into the local cache, for hosts and registries that cannot pull them. */
export const pullImages = (assets: Assets): Step =>
  defineStep({
    name: 'artifact.pull-images',
    summary: `Pull ${assets.downloads.images.length} images`,
    timeoutMs: THREE_HOURS,
    parts: () => [pulledImages(assets)],
  });

const THREE_HOURS = 3 * 3_600_000;
const PARALLEL = 2;

function pulledImages({ downloads: { images }, artifacts, credentials, folder, offline }: Assets): GenericStep {
  const options = { offline, cluster: clusterOf({ folder }) };
  return Object.freeze<GenericStep>({
    key: 'images:local',
    summary: `pull ${images.length} images`,
    async precheck() {
      await using downloader = await openDownloader(artifacts, options);
      const found = await Promise.all(images.map((image) => findExpectedImage(downloader, image)));
      const left = images.filter((_, index) => found[index] === undefined).map(({ ref }) => ref);
      return left.length === 0 ? DONE : { done: false, because: `not in the cache: ${left.join(', ')}` };
    },
    async run(ctx) {
      await using downloader = await openDownloader(artifacts, options);
      await using registries = openRegistries(credentials, { offline });
      const watch = { signal: ctx.signal, say: (line: string) => ctx.say(line) };
      await forEachParallel(images, PARALLEL, async (image) => {
        await pullImage({ downloader, registries }, image, watch);
        ctx.say(`pulled ${image.ref}`);
      });
    },
  });
}
