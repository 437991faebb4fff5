import { dirname, join } from 'node:path/posix';
import { cacheKey } from '../../cache/cache.ts';
import { sh } from '../../runner/command.ts';
import { verifiedFile } from '../../runner/local-file.ts';
import { createAdaptiveLimiter, type AdaptiveLimiter } from '../../util/adaptive-limiter.ts';
import { DONE } from '../contract/finding.ts';
import { fetchFromPeer, isOffered, offer, type SharedFile } from './fan-out.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { defineStep } from '../contract/step.ts';

/** A file of this machine, by its content. */
export interface StagedFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

/**
 * Brings a file to where things are put on the host before they are installed; resolves with its path there. When the
 * way from here is slow, a host that has it already hands it on.
 */
export async function stage(ctx: StepContext, file: StagedFile, title: string): Promise<string> {
  const folder = ctx.stagingDir;
  const path = join(folder, file.sha256);
  const shared = { ...file, path };
  if ((await ctx.runner.sha256(path)) !== file.sha256) {
    // Once more: another task may have cleared its own folder, and the one above with it, in between.
    await ctx.runner.run(sh`umask 077; mkdir -p -- ${folder} 2>/dev/null || mkdir -p -- ${folder}`);
    await bring(ctx, file, shared, title);
  }
  offer(ctx, shared);
  return path;
}

async function bring(ctx: StepContext, file: StagedFile, shared: SharedFile, title: string): Promise<void> {
  const uploads = uploadsOf(ctx);
  const size = `${(file.size / 1e6).toFixed(1)} MB`;
  const handedOn = () => file.size > SMALL && (uploads.rate ?? FAST) < FAST && isOffered(ctx, shared);
  for (;;) {
    if (handedOn()) {
      ctx.say(`getting ${title} from another host, ${size}`);
      if (await fetchFromPeer(ctx, shared)) return;
    }
    ctx.say(`${title}: waiting for its turn to be uploaded, ${size}`);
    const sent = await uploads.run(async () => {
      ctx.signal.throwIfAborted();
      // While this one waited, others got it.
      if (handedOn()) return 0;
      ctx.say(`uploading ${title}, ${size}`);
      await ctx.runner.upload(verifiedFile(file), { path: shared.path, mode: 0o600, owner: 'root:root' }, ctx.signal);
      // Before the next one gets its turn.
      offer(ctx, shared);
      return file.size;
    });
    if (sent > 0) return;
  }
}

/** Bytes in a second: 100 Mbit, below which hosts are likely to be nearer to each other than we are to them. */
const FAST = 12_500_000;

/** What is there sooner than two hosts could agree on it. */
const SMALL = 1_000_000;

/** Nothing is left of what this task uploaded to install it; others may be about it at the same time. */
export const clearStaging = defineStep({
  name: 'artifact.clear-staging',
  summary: 'Remove what was uploaded to be installed',
  parts: () => [nothingStaged],
});

const nothingStaged: GenericStep = Object.freeze<GenericStep>({
  key: 'cleared:staging',
  summary: 'remove what was uploaded to be installed',
  async precheck(ctx) {
    const { stagingDir } = ctx;
    return (await ctx.runner.stat(stagingDir)) ? { done: false, because: `${stagingDir} is there` } : DONE;
  },
  async run({ runner, stagingDir }) {
    await runner.run(sh`rm -rf -- ${stagingDir} && { rmdir -- ${dirname(stagingDir)} 2>/dev/null || true; }`);
  },
});

/** How the uploads of a run go; a test sets how fast. */
export const UPLOADS = cacheKey<AdaptiveLimiter>('uploads');

/** One for all steps of a run: they share the same line. */
function uploadsOf({ cache }: StepContext): AdaptiveLimiter {
  const limiter = cache.get(UPLOADS) ?? createAdaptiveLimiter();
  cache.set(UPLOADS, limiter);
  return limiter;
}
