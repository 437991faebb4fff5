import type { Assets } from '../../../resource/assets.ts';
import type { Cluster } from '../../../config/model/cluster.ts';
import { fail } from '../../../common/errors/errors.ts';
import { sh, type Command } from '../../../runner/command.ts';
import { command } from '../../common/command.ts';
import type { GenericStep } from '../../contract/part.ts';
import { defineStep, type Step } from '../../contract/step.ts';

/** Pulls images with the host's own runtime, which knows registries and mirrors. */
export const pullOnHost = (runtime: string, { registry }: Cluster, { images, offline }: Assets): Step =>
  defineStep({
    name: `${runtime}.pull-images`,
    summary: 'Pull images on the host',
    timeoutMs: 3_600_000,
    retries: 2,
    parts: ({ host }) =>
      images
        .filter(({ roles }) => roles.some((role) => host.roles.includes(role)))
        .map(({ ref }) => pulledOnHost(runtime, ref, offline && registry.type === 'none')),
  });

/** Pulls an image with the host's runtime. */
export const pullCommand = (ref: string): Command => sh`PATH=/usr/local/bin:$PATH crictl pull ${ref}`;

/** Fails for a missing image if the host has neither internet access nor a registry of the cluster. */
function pulledOnHost(runtime: string, ref: string, isolated: boolean): GenericStep {
  const pulled = command({
    key: `images:${ref}`,
    summary: `pull ${ref}`,
    check: sh`PATH=/usr/local/bin:$PATH; [ -n "$(command -v crictl)" ] && timeout 20 crictl inspecti -q ${ref} >/dev/null 2>&1`,
    run: pullCommand(ref),
    because: `${runtime} does not have the image`,
  });
  if (!isolated) return pulled;
  return Object.freeze<GenericStep>({
    ...pulled,
    async run(ctx) {
      const { done } = await pulled.precheck(ctx);
      if (!done) throw fail('OFFLINE_IMAGE', { host: ctx.host.name, image: ref, runtime });
    },
  });
}
