import { dirname, join } from 'node:path/posix';
import { cacheKey } from '../../cache/cache.ts';
import { sh } from '../../runner/command.ts';
import { verifiedFile } from '../../runner/local-file.ts';
import { createAdaptiveLimiter, type AdaptiveLimiter } from '../../util/adaptive-limiter.ts';
import { DONE } from '../contract/finding.ts';
import { fetchFromPeer, isOffered, offer, receiveAndOffer } from './fan-out.ts';
import type { SharedFile } from './holders.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { defineStep } from '../contract/step.ts';

/** A local file and its checksum. */
export interface StagedFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

/**
 * Copies a file to the staging directory of the host and returns its path there. If the file is large or uploads are
 * slow, the host downloads it from another host that has it or is receiving it.
 */
export async function stage(ctx: StepContext, file: StagedFile, title: string): Promise<string> {
  const folder = ctx.stagingDir;
  const path = join(folder, file.sha256);
  const shared = { ...file, path };
  const [checksum, existing] = await Promise.all([ctx.runner.sha256(path), ctx.runner.stat(folder)]);
  if (checksum !== file.sha256) {
    // Retried once, because another task may have removed the common parent directory in between.
    if (!existing) await ctx.runner.run(sh`umask 077; mkdir -p -- ${folder} 2>/dev/null || mkdir -p -- ${folder}`);
    await transfer(ctx, file, shared, title);
  }
  offer(ctx, shared);
  return path;
}

async function transfer(ctx: StepContext, file: StagedFile, shared: SharedFile, title: string): Promise<void> {
  const uploads = uploadsOf(ctx);
  const size = `${(file.size / 1e6).toFixed(1)} MB`;
  const isWorthwhile = () => file.size > LARGE || (file.size > SMALL && (uploads.rate ?? FAST) < FAST);
  const canFetch = () => isWorthwhile() && isOffered(ctx, shared);
  for (;;) {
    if (canFetch()) {
      ctx.say(`downloading ${title} from another host, ${size}`);
      if (await fetchFromPeer(ctx, shared)) return;
    }
    ctx.say(`waiting to upload ${title}, ${size}`);
    const sent = await uploads.run(async () => {
      ctx.signal.throwIfAborted();
      // Another host may have received it in the meantime.
      if (canFetch()) return 0;
      ctx.say(`uploading ${title}, ${size}`);
      const target = { path: shared.path, mode: 0o600, owner: 'root:root' };
      // Other hosts get it from this one, so that it is sent once for all of them.
      await receiveAndOffer(ctx, shared, 0, () => ctx.runner.upload(verifiedFile(file), target, ctx.signal));
      return file.size;
    });
    if (sent > 0) return;
  }
}

/** 100 Mbit/s in bytes per second. If uploads are slower, transfers between hosts are probably faster. */
const FAST = 12_500_000;

/** Smaller files are uploaded faster than a transfer between hosts can be set up. */
const SMALL = 1_000_000;

/** From this size on, sending a file once and copying it between hosts is faster than sending it to each of them. */
const LARGE = 32_000_000;

/** Removes the staging directory of this task; other tasks may use theirs at the same time. */
export const clearStaging = defineStep({
  name: 'artifact.clear-staging',
  summary: 'Remove the staging directory',
  parts: () => [noStagedFiles],
});

const noStagedFiles: GenericStep = Object.freeze<GenericStep>({
  key: 'cleared:staging',
  summary: 'remove the staging directory',
  async precheck(ctx) {
    const { stagingDir } = ctx;
    return (await ctx.runner.stat(stagingDir)) ? { done: false, because: `${stagingDir} exists` } : DONE;
  },
  async run({ runner, stagingDir }) {
    await runner.run(sh`rm -rf -- ${stagingDir} && { rmdir -- ${dirname(stagingDir)} 2>/dev/null || true; }`);
  },
});

/** Limits the uploads of a run; tests set its rate. */
export const UPLOADS = cacheKey<AdaptiveLimiter>('uploads');

/** One limiter for all steps of a run, because they share the uplink. */
function uploadsOf({ cache }: StepContext): AdaptiveLimiter {
  const limiter = cache.get(UPLOADS) ?? createAdaptiveLimiter();
  cache.set(UPLOADS, limiter);
  return limiter;
}
