import { moveFromBackup, moveToBackup } from '../../runner/backup.ts';
import { DONE } from '../contract/finding.ts';
import { backupPath } from '../contract/backup.ts';
import type { GenericStep, Restore } from '../contract/part.ts';

/** A path that must not exist. */
export interface AbsentOptions {
  readonly path: string;
}

/**
 * Ensures that nothing exists at the path. Existing content is moved to the backup directory and restored from there.
 */
export function absent({ path }: AbsentOptions): GenericStep {
  return Object.freeze<GenericStep>({
    key: `absent:${path}`,
    summary: `remove ${path}`,
    formerly: [`remove ${path}`],
    async precheck({ runner }) {
      const state = await runner.stat(path);
      return state === undefined ? DONE : { done: false, because: `is a ${state.type}` };
    },
    async remember({ runner }) {
      const state = await runner.stat(path);
      return { exists: state !== undefined, type: state?.type ?? '' };
    },
    async run(ctx) {
      await ctx.runner.run(moveToBackup(path, backupPath(ctx, copyOf(path))));
    },
    rollback: (ctx, before) => restoreAbsent(ctx, path, before),
  });
}

/** Moves the backup back to the path. */
export const restoreAbsent: Restore = async (ctx, path) => {
  await ctx.runner.run(moveFromBackup(path, backupPath(ctx, copyOf(path))));
};

/** Name of the backup; must not change between releases. */
const copyOf = (path: string) => `absent ${path}`;
