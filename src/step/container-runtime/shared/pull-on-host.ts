import type { ImageItem } from '../../../resource/item.ts';
import { fail } from '../../../common/errors/errors.ts';
import { sh, type Command } from '../../../runner/command.ts';
import { command } from '../../common/command.ts';
import { defineStep, type GenericStep, type Step } from '../../contract/step.ts';

/** Whether hosts have somebody to pull from. */
export interface PullOptions {
  /** Neither the internet nor a registry of the cluster. */
  readonly cutOff: boolean;
}

/** Images are pulled by the runtime of the host itself, which knows registries and mirrors. */
export const pullOnHost = (runtime: string, images: readonly ImageItem[], options: PullOptions): Step =>
  defineStep({
    name: `${runtime}.pull-images`,
    summary: 'Pull images on the host',
    timeoutMs: 3_600_000,
    retries: 2,
    parts: ({ host }) =>
      images
        .filter(({ roles }) => roles.some((role) => host.roles.includes(role)))
        .map(({ ref }) => pulledOnHost(runtime, ref, options)),
  });

/** The runtime of the host pulls an image. */
export const pullThere = (ref: string): Command => sh`PATH=/usr/local/bin:$PATH crictl pull ${ref}`;

function pulledOnHost(runtime: string, ref: string, { cutOff }: PullOptions): GenericStep {
  const pulled = command({
    key: `images:${ref}`,
    summary: `pull ${ref}`,
    look: sh`PATH=/usr/local/bin:$PATH; [ -n "$(command -v crictl)" ] && timeout 20 crictl inspecti -q ${ref} >/dev/null 2>&1`,
    run: pullThere(ref),
    because: `${runtime} does not have it`,
  });
  if (!cutOff) return pulled;
  return Object.freeze<GenericStep>({
    ...pulled,
    async run(ctx) {
      const { done } = await pulled.precheck(ctx);
      if (!done) throw fail('OFFLINE_IMAGE', { host: ctx.host.name, image: ref, runtime });
    },
  });
}
