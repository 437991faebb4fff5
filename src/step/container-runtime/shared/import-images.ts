import { openCache } from '../../../resource/cache/cache.ts';
import type { ImageItem } from '../../../resource/item.ts';
import { imageArchive } from '../../../resource/oci/image-archive.ts';
import { fail } from '../../../common/errors/errors.ts';
import type { Command } from '../../../runner/command.ts';
import { findingOf } from '../../contract/finding.ts';
import { streamOutput } from '../../contract/output.ts';
import { stage } from '../../transfer/staging.ts';
import type { GenericStep, StepContext } from '../../contract/part.ts';
import { defineStep, type Step } from '../../contract/step.ts';

/** How a container runtime imports images. */
export interface ImageStore {
  readonly runtime: string;
  /** Succeeds if the image exists and is complete. */
  readonly has: (ref: string) => Command;
  readonly load: (path: string) => Command;
  /** Set if the host can pull from a registry; images it cannot pull are uploaded. */
  readonly pull?: (ref: string) => Command;
}

/** Imports cached images into the runtime of each host that needs them. */
export const importImages = (store: ImageStore, images: readonly ImageItem[]): Step =>
  defineStep({
    name: `${store.runtime}.import-images`,
    summary: `Import images into ${store.runtime}`,
    timeoutMs: ONE_HOUR,
    parts: ({ host }) => [
      importedImages(
        store,
        images.filter(({ roles }) => roles.some((role) => host.roles.includes(role))),
      ),
    ],
  });

const ONE_HOUR = 3_600_000;

/** All images in one archive, because they share layers. */
function importedImages({ has, load, pull }: ImageStore, images: readonly ImageItem[]): GenericStep {
  const missing = async ({ runner }: Pick<StepContext, 'runner'>) => {
    const present = await Promise.all(images.map(({ ref }) => runner.test(has(ref))));
    return images.filter((_, index) => !present[index]);
  };
  return Object.freeze<GenericStep>({
    key: 'images:imported',
    summary: images.length === 1 ? `import ${images[0]!.ref}` : `import ${images.length} images`,
    precheck: async (ctx) => findingOf((await missing(ctx)).map(({ ref }) => `${ref} is missing`)),
    async run(ctx) {
      const { host, facts, runner } = ctx;
      if (pull) await pullMissing(ctx, await missing(ctx), pull);
      const wanted = await missing(ctx);
      if (wanted.length === 0) return;
      const { archive, absent } = await imageArchive(openCache(), wanted, facts.arch);
      if (!archive) throw fail('ASSET_MISSING', { host: host.name, item: `${absent} ${facts.arch}` });
      const title = wanted.length === 1 ? wanted[0]!.ref : `${wanted.length} images`;
      await runner.run(load(await stage(ctx, archive, title)), streamOutput(ctx));
    },
  });
}

async function pullMissing(
  ctx: StepContext,
  images: readonly ImageItem[],
  pull: NonNullable<ImageStore['pull']>,
): Promise<void> {
  for (const { ref } of images) {
    ctx.say(`pulling ${ref}`);
    await ctx.runner.run(pull(ref), streamOutput(ctx)).catch((error: unknown) => {
      if (ctx.signal.aborted) throw error;
      ctx.say(`could not pull ${ref}, uploading it instead`);
    });
  }
}
