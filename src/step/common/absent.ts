import { moveFromBackup, moveToBackup } from '../../runner/backup.ts';
import { DONE } from '../contract/finding.ts';
import { keptAt } from '../contract/keep.ts';
import type { GenericStep, Restore } from '../contract/part.ts';

/** What should not be. */
export interface AbsentOptions {
  readonly path: string;
}

/** Nothing is at the path. What was there is moved aside with all that is in it, and comes back from there. */
export function absent({ path }: AbsentOptions): GenericStep {
  return Object.freeze<GenericStep>({
    key: `absent:${path}`,
    summary: `remove ${path}`,
    formerly: [`remove ${path}`],
    async precheck({ runner }) {
      const state = await runner.stat(path);
      return state === undefined ? DONE : { done: false, because: `there is a ${state.type} at ${path}` };
    },
    async remember({ runner }) {
      const state = await runner.stat(path);
      return { exists: state !== undefined, type: state?.type ?? '' };
    },
    async run(ctx) {
      await ctx.runner.run(moveToBackup(path, keptAt(ctx, copyOf(path))));
    },
    rollback: (ctx, before) => restoreAbsent(ctx, path, before),
  });
}

/** Moves back what was at the path. */
export const restoreAbsent: Restore = async (ctx, path) => {
  await ctx.runner.run(moveFromBackup(path, keptAt(ctx, copyOf(path))));
};

/** Names what was moved away; permanent. */
const copyOf = (path: string) => `absent ${path}`;
