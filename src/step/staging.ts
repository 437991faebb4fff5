import { dirname, join } from 'node:path/posix';
import { cacheKey } from '../cache/cache.ts';
import { sh } from '../runner/command.ts';
import { knownFile } from '../runner/local-file.ts';
import { createGate, type Gate } from '../util/adaptive-gate.ts';
import { DONE } from './difference.ts';
import { defineStep, type GenericStep, type StepContext } from './step.ts';

/** A file of this machine, by its content. */
export interface StagedFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

/** Brings a file to where things are put on the host before they are installed; resolves with its path there. */
export async function stage(ctx: StepContext, file: StagedFile, title: string): Promise<string> {
  const folder = stagingFolder(ctx);
  const path = join(folder, file.sha256);
  if ((await ctx.runner.sha256(path)) === file.sha256) return path;
  await ctx.runner.run(sh`umask 077; mkdir -p -- ${folder}`);
  const size = `${(file.size / 1e6).toFixed(1)} MB`;
  ctx.say(`${title}: waiting for its turn to be uploaded, ${size}`);
  await uploadsOf(ctx).run(file.size, async () => {
    ctx.signal.throwIfAborted();
    ctx.say(`uploading ${title}, ${size}`);
    await ctx.runner.upload(knownFile(file), { path, mode: 0o600, owner: 'root:root' }, ctx.signal);
  });
  return path;
}

/** Nothing is left of what was uploaded to be installed. */
export const clearStaging = defineStep({
  name: 'artifact.clear-staging',
  summary: 'Remove what was uploaded to be installed',
  parts: () => [nothingStaged],
});

const nothingStaged: GenericStep = Object.freeze<GenericStep>({
  summary: 'remove what was uploaded to be installed',
  async precheck(ctx) {
    const folder = stagingFolder(ctx);
    return (await ctx.runner.stat(folder)) ? { done: false, because: `${folder} is there` } : DONE;
  },
  async run(ctx) {
    await ctx.runner.run(sh`rm -rf -- ${stagingFolder(ctx)}`);
  },
});

/** With the cluster it goes, whatever happens. */
const stagingFolder = ({ originDir }: StepContext) => join(dirname(originDir), 'staging');

const UPLOADS = cacheKey<Gate>('uploads');

/** One for all steps of a run: they share the same line. */
function uploadsOf({ cache }: StepContext): Gate {
  const gate = cache.get(UPLOADS) ?? createGate();
  cache.set(UPLOADS, gate);
  return gate;
}
