import { dirname } from 'node:path/posix';
import { sh } from '../../runner/command.ts';
import { besideOf } from '../../runner/write-command.ts';
import { findingOf, pathDifferences } from '../contract/finding.ts';
import { rememberPath, restorePath } from '../contract/keep.ts';
import type { GenericStep } from '../contract/step.ts';

/** Where a symlink is and where it points. */
export interface SymlinkOptions {
  readonly path: string;
  readonly target: string;
}

/** The path is a symlink to the target, which need not exist. */
export function symlink({ path, target }: SymlinkOptions): GenericStep {
  const part = `symlink ${path}`;
  return Object.freeze<GenericStep>({
    summary: `link ${path} to ${target}`,
    state: part,
    async precheck({ runner }) {
      const state = await runner.stat(path);
      const differences = pathDifferences(state, { type: 'symlink' });
      if (state?.type !== 'symlink' || state.target === target) return findingOf(differences);
      return findingOf([...differences, `it points to ${state.target ?? ''}, not ${target}`]);
    },
    remember: (ctx) => rememberPath(ctx, part, path),
    async run({ runner }) {
      const beside = besideOf(path);
      await runner.run(
        sh`umask 022; mkdir -p -- ${dirname(path)} && ln -sfT -- ${target} ${beside} && mv -fT -- ${beside} ${path}`,
      );
    },
    rollback: (ctx, before) => restorePath(ctx, part, path, before),
  });
}
