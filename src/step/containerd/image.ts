import { openCache } from '../../artifact/cache/cache.ts';
import type { ImageItem } from '../../artifact/item.ts';
import { imageArchive } from '../../artifact/locate.ts';
import { fail } from '../../common/errors.ts';
import { sh, type Command } from '../../runner/command.ts';
import { DONE } from '../difference.ts';
import { hearing } from '../hearing.ts';
import { stage } from '../staging.ts';
import { defineStep, type GenericStep, type Step } from '../step.ts';

/** Images that this machine has are in the runtime of the host. */
export const importImages = (images: readonly ImageItem[]): Step =>
  defineStep({
    name: 'containerd.import-images',
    summary: `Import ${images.length} images`,
    timeoutMs: ONE_HOUR,
    parts: () => images.map(importedImage),
  });

const ONE_HOUR = 3_600_000;

const importedImage = (image: ImageItem): GenericStep =>
  Object.freeze<GenericStep>({
    summary: `import ${image.ref}`,
    async precheck({ runner }) {
      if (await runner.test(hasImage(image.ref))) return DONE;
      return { done: false, because: 'containerd does not have it' };
    },
    async run(ctx) {
      const { host, facts, runner } = ctx;
      const archive = await imageArchive(openCache(), image, facts.arch);
      if (!archive) throw fail('ASSET_MISSING', { host: host.name, item: `${image.ref} ${facts.arch}` });
      const path = await stage(ctx, archive, image.ref);
      await runner.run(sh`/usr/local/bin/ctr -n k8s.io images import ${path}`, hearing(ctx));
    },
  });

/** True when the image is whole: one whose import was cut off has a name already. */
const hasImage = (ref: string): Command =>
  sh`[ -x /usr/local/bin/ctr ] && timeout 20 /usr/local/bin/ctr -n k8s.io images check -q name==${ref} 2>/dev/null | grep -qxF ${ref}`;
