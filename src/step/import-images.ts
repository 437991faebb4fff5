import { openCache } from '../artifact/cache/cache.ts';
import type { ImageItem } from '../artifact/item.ts';
import { imageArchive } from '../artifact/locate.ts';
import { fail } from '../common/errors.ts';
import type { Command } from '../runner/command.ts';
import { DONE } from './difference.ts';
import { hearing } from './hearing.ts';
import { stage } from './staging.ts';
import { defineStep, type GenericStep, type Step } from './step.ts';

/** How a container runtime takes images from a file. */
export interface ImageStore {
  readonly runtime: string;
  /** Says yes when the image is there, and whole. */
  readonly has: (ref: string) => Command;
  readonly load: (path: string) => Command;
}

/** Images that this machine has are in the runtime of the host. */
export const importImages = (store: ImageStore, images: readonly ImageItem[]): Step =>
  defineStep({
    name: `${store.runtime}.import-images`,
    summary: `Import ${images.length} images`,
    timeoutMs: ONE_HOUR,
    parts: () => images.map((image) => importedImage(store, image)),
  });

const ONE_HOUR = 3_600_000;

const importedImage = ({ runtime, has, load }: ImageStore, image: ImageItem): GenericStep =>
  Object.freeze<GenericStep>({
    summary: `import ${image.ref}`,
    async precheck({ runner }) {
      if (await runner.test(has(image.ref))) return DONE;
      return { done: false, because: `${runtime} does not have it` };
    },
    async run(ctx) {
      const { host, facts, runner } = ctx;
      const archive = await imageArchive(openCache(), image, facts.arch);
      if (!archive) throw fail('ASSET_MISSING', { host: host.name, item: `${image.ref} ${facts.arch}` });
      await runner.run(load(await stage(ctx, archive, image.ref)), hearing(ctx));
    },
  });
