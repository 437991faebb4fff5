import { sh } from '../../runner/command.ts';
import { missingParents, removeWithParents } from '../../runner/backup.ts';
import { flagOf, numberOf, textOf, textsOf } from '../../util/json-fields.ts';
import { findingOf, pathDifferences } from '../contract/finding.ts';
import type { GenericStep, Restore } from '../contract/part.ts';

export interface DirectoryOptions {
  readonly path: string;
  /** 0755 by default. */
  readonly mode?: number;
  /** "root:root" by default. */
  readonly owner?: string;
}

/** Ensures that the directory exists with this mode and owner. */
export function directory({ path, mode = 0o755, owner = 'root:root' }: DirectoryOptions): GenericStep {
  return Object.freeze<GenericStep>({
    key: `directory:${path}`,
    summary: `create directory ${path}`,
    formerly: [`make the directory ${path}`],
    precheck: async ({ runner }) =>
      findingOf(pathDifferences(await runner.stat(path), { type: 'directory', mode, owner })),
    async remember({ runner }) {
      const [state, missing] = await Promise.all([runner.stat(path), runner.query(missingParents(path))]);
      return {
        exists: state !== undefined,
        mode: state?.mode ?? 0,
        owner: state?.ids ?? '',
        missing: missing.stdout.split('\n').filter(Boolean),
      };
    },
    async run({ runner }) {
      await runner.run(
        sh`umask 022; mkdir -p -- ${path} && chown ${owner} ${path} && chmod ${mode.toString(8)} ${path}`,
      );
    },
    rollback: (ctx, before) => restoreDirectory(ctx, path, before),
  });
}

/** Restores mode and owner, or removes the directory if kubexm created it and it is empty. */
export const restoreDirectory: Restore = async ({ runner }, path, before) => {
  if (flagOf(before, 'exists')) {
    const was = numberOf(before, 'mode').toString(8);
    await runner.run(sh`chown ${textOf(before, 'owner')} ${path} && chmod ${was} ${path}`);
    return;
  }
  // A directory with files of others stays.
  const folders = [path, ...textsOf(before, 'missing')];
  await runner.run(removeWithParents(`${path}/.kubexm-nothing`, folders));
};
