import { bringBack, keepAway } from '../../runner/keep.ts';
import { DONE } from '../contract/finding.ts';
import { keptAt } from '../contract/keep.ts';
import type { GenericStep } from '../contract/step.ts';

/** What should not be. */
export interface AbsentOptions {
  readonly path: string;
}

/** Nothing is at the path. What was there is moved aside with all that is in it, and comes back from there. */
export function absent({ path }: AbsentOptions): GenericStep {
  const part = `absent ${path}`;
  return Object.freeze<GenericStep>({
    summary: `remove ${path}`,
    async precheck({ runner }) {
      const state = await runner.stat(path);
      return state === undefined ? DONE : { done: false, because: `there is a ${state.type} at ${path}` };
    },
    async remember({ runner }) {
      const state = await runner.stat(path);
      return { exists: state !== undefined, type: state?.type ?? '' };
    },
    async run(ctx) {
      await ctx.runner.run(keepAway(path, keptAt(ctx, part)));
    },
    async rollback(ctx) {
      await ctx.runner.run(bringBack(path, keptAt(ctx, part)));
    },
  });
}
