import { basename, dirname } from 'node:path/posix';
import { sh } from '../../runner/command.ts';
import type { UploadSource } from '../../runner/runner.ts';
import { findingOf, pathDifferences } from '../contract/finding.ts';
import { rememberPath, restorePath } from '../contract/backup.ts';
import type { GenericStep, Restore } from '../contract/part.ts';

export interface UploadedOptions {
  readonly source: UploadSource;
  readonly path: string;
  /** 0644 by default. */
  readonly mode?: number;
  /** "root:root" by default. */
  readonly owner?: string;
}

/** Ensures that the file has the checksum of the source, and this mode and owner. */
export function uploaded({ source, path, mode = 0o644, owner = 'root:root' }: UploadedOptions): GenericStep {
  return Object.freeze<GenericStep>({
    key: `uploaded:${path}`,
    summary: `upload ${path}`,
    formerly: [`upload ${path}`],
    async precheck({ runner }) {
      const [state, checksum] = await Promise.all([runner.stat(path), runner.sha256(path)]);
      const differences = pathDifferences(state, { type: 'file', mode, owner });
      const isSame = checksum === undefined || checksum === source.sha256;
      return findingOf(isSame ? differences : [...differences, 'checksum differs']);
    },
    remember: (ctx) => rememberPath(ctx, copyOf(path), path),
    async run(ctx) {
      const { runner } = ctx;
      ctx.say(`uploading ${basename(path)}, ${Math.ceil(source.size / 1024)} KiB`);
      if ((await runner.sha256(path)) === source.sha256) {
        await runner.run(sh`chown ${owner} ${path} && chmod ${mode.toString(8)} ${path}`);
        return;
      }
      await runner.run(sh`umask 022; mkdir -p -- ${dirname(path)}`);
      await runner.upload(source, { path, mode, owner }, ctx.signal);
    },
    rollback: (ctx, before) => restoreUploaded(ctx, path, before),
  });
}

/** Restores the previous file, or removes ours. */
export const restoreUploaded: Restore = (ctx, path, before) => restorePath(ctx, copyOf(path), path, before);

/** Name of the file's backup; must not change between releases. */
const copyOf = (path: string) => `uploaded ${path}`;
