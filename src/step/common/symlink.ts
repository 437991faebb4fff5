import { dirname } from 'node:path/posix';
import { sh } from '../../runner/command.ts';
import { temporaryPath } from '../../runner/write-command.ts';
import { findingOf, pathDifferences } from '../contract/finding.ts';
import { rememberPath, restorePath } from '../contract/backup.ts';
import type { GenericStep, Restore } from '../contract/part.ts';

export interface SymlinkOptions {
  readonly path: string;
  readonly target: string;
}

/** Ensures that the path is a symlink to the target, which need not exist. */
export function symlink({ path, target }: SymlinkOptions): GenericStep {
  return Object.freeze<GenericStep>({
    key: `symlink:${path}`,
    summary: `link ${path} to ${target}`,
    formerly: [`symlink ${path}`, `link ${path} to ${target}`],
    async precheck({ runner }) {
      const state = await runner.stat(path);
      const differences = pathDifferences(state, { type: 'symlink' });
      if (state?.type !== 'symlink' || state.target === target) return findingOf(differences);
      return findingOf([...differences, `points to ${state.target ?? ''}, want ${target}`]);
    },
    remember: (ctx) => rememberPath(ctx, copyOf(path), path),
    async run({ runner }) {
      const beside = temporaryPath(path);
      await runner.run(
        sh`umask 022; mkdir -p -- ${dirname(path)} && ln -sfT -- ${target} ${beside} && mv -fT -- ${beside} ${path}`,
      );
    },
    rollback: (ctx, before) => restoreSymlink(ctx, path, before),
  });
}

/** Restores the path from its backup, or removes our symlink. */
export const restoreSymlink: Restore = (ctx, path, before) => restorePath(ctx, copyOf(path), path, before);

/** Name of the path's backup; must not change between releases. */
const copyOf = (path: string) => `symlink ${path}`;
