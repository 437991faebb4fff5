import { sh } from '../../runner/command.ts';
import { textOf } from '../../util/json-fields.ts';
import { findingOf, pathDifferences } from '../contract/finding.ts';
import type { GenericStep, Restore } from '../contract/part.ts';

/** A folder that a service fills, and whose. */
export interface OwnedContentOptions {
  readonly path: string;
  /** "user:group" */
  readonly owner: string;
  /** When it is made. */
  readonly mode: number;
  /** What is in it: "images". */
  readonly what: string;
}

/** The folder is there; what an earlier service left in it belongs to this one. Undone, what was not there before goes. */
export function ownedContent({ path, owner, mode, what }: OwnedContentOptions): GenericStep {
  return Object.freeze<GenericStep>({
    key: `owned-content:${path}`,
    summary: `own the ${what} in ${path}`,
    formerly: [`${what} in ${path}`, `own the ${what} in ${path}`],
    async precheck({ runner }) {
      return findingOf(pathDifferences(await runner.stat(path), { type: 'directory', owner }));
    },
    async remember({ runner }) {
      return { owner: (await runner.stat(path))?.ids ?? '' };
    },
    async run({ runner }) {
      if (await runner.stat(path)) await runner.run(chownTree(path, owner));
      else await runner.run(sh`mkdir -m ${mode.toString(8)} -- ${path} && chown ${owner} ${path}`);
    },
    rollback: (ctx, before) => restoreOwnedContent(ctx, path, before),
  });
}

/** Removes the content, or gives it back to its former owner. */
export const restoreOwnedContent: Restore = async ({ runner }, path, before) => {
  const was = textOf(before, 'owner');
  if (was === '') await runner.run(sh`rm -rf -- ${path}`);
  else if (await runner.stat(path)) await runner.run(chownTree(path, was));
};

/** The folder itself comes last, so that its owner tells whether everything below it is done. */
const chownTree = (path: string, owner: string) => sh`find ${path} -depth -exec chown -h ${owner} {} +`;
