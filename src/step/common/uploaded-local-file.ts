import { Readable } from 'node:stream';
import { fail } from '../../common/errors/errors.ts';
import { localFile } from '../../runner/local-file.ts';
import { findingOf } from '../contract/finding.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';
import { uploaded, type UploadedOptions } from './uploaded.ts';

/** A local file that may be created only during the run, and its path on the host. */
export interface UploadedLocalFileOptions extends Omit<UploadedOptions, 'source'> {
  readonly localPath: string;
}

/** Ensures that the file has the content that a local file has when the part runs. */
export function uploadedLocalFile({ localPath, ...target }: UploadedLocalFileOptions): GenericStep {
  const found = async () => {
    const source = await localFile(localPath);
    return source && uploaded({ source, ...target });
  };
  const part = uploaded({ source: NOTHING, ...target });
  return Object.freeze<GenericStep>({
    ...part,
    async precheck(ctx: StepContext) {
      const now = await found();
      return now ? now.precheck(ctx) : findingOf([`${localPath} does not exist on this machine yet`]);
    },
    async run(ctx: StepContext) {
      const now = await found();
      if (!now) throw fail('FILE_NOT_FOUND', { path: localPath });
      await now.run(ctx);
    },
  });
}

const NOTHING = { size: 0, sha256: '', open: () => Readable.from([]) };
