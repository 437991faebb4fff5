import type { ImageItem } from '../artifact/item.ts';
import { sh } from '../runner/command.ts';
import { command } from './common/command.ts';
import { defineStep, type Step } from './step.ts';

/** Images are pulled by the runtime of the host itself, which knows registries and mirrors. */
export const pullOnHost = (runtime: string, images: readonly ImageItem[]): Step =>
  defineStep({
    name: `${runtime}.pull-images`,
    summary: 'Pull images on the host',
    timeoutMs: 3_600_000,
    retries: 2,
    parts: ({ host }) =>
      images
        .filter(({ roles }) => roles.some((role) => host.roles.includes(role)))
        .map(({ ref }) =>
          command({
            summary: `pull ${ref}`,
            look: sh`PATH=/usr/local/bin:$PATH; [ -n "$(command -v crictl)" ] && timeout 20 crictl inspecti -q ${ref} >/dev/null 2>&1`,
            run: sh`PATH=/usr/local/bin:$PATH crictl pull ${ref}`,
            because: `${runtime} does not have it`,
          }),
        ),
  });
