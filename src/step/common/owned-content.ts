import { sh } from '../../runner/command.ts';
import { textOf } from '../../util/json-fields.ts';
import { findingOf, pathDifferences } from '../contract/finding.ts';
import type { GenericStep, Restore } from '../contract/part.ts';

/** A directory that a service fills, and its owner. */
export interface OwnedContentOptions {
  readonly path: string;
  /** "user:group" */
  readonly owner: string;
  /** The mode of a new directory. */
  readonly mode: number;
  /** Its content: "images". */
  readonly what: string;
}

/**
 * Ensures that the directory exists and that the content of an earlier service belongs to this owner. Undo removes it
 * unless it existed before.
 */
export function ownedContent({ path, owner, mode, what }: OwnedContentOptions): GenericStep {
  return Object.freeze<GenericStep>({
    key: `owned-content:${path}`,
    summary: `set the owner of the ${what} in ${path}`,
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

/** Removes the content, or restores its previous owner. */
export const restoreOwnedContent: Restore = async ({ runner }, path, before) => {
  const was = textOf(before, 'owner');
  if (was === '') await runner.run(sh`rm -rf -- ${path}`);
  else if (await runner.stat(path)) await runner.run(chownTree(path, was));
};

/** Changes the directory itself last, so that its owner shows whether everything below it is done. */
const chownTree = (path: string, owner: string) => sh`find ${path} -depth -exec chown -h ${owner} {} +`;
