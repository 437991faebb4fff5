import { sh } from '../../runner/command.ts';
import { textOf } from '../../util/json-fields.ts';
import { findingOf, pathDifferences } from '../contract/finding.ts';
import type { GenericStep } from '../contract/step.ts';

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
  // The folder itself comes last, so that a look at it tells whether all below it is done.
  const give = (to: string) => sh`find ${path} -depth -exec chown -h ${to} {} +`;
  return Object.freeze<GenericStep>({
    summary: `own the ${what} in ${path}`,
    state: `${what} in ${path}`,
    async precheck({ runner }) {
      return findingOf(pathDifferences(await runner.stat(path), { type: 'directory', owner }));
    },
    async remember({ runner }) {
      return { owner: (await runner.stat(path))?.ids ?? '' };
    },
    async run({ runner }) {
      if (await runner.stat(path)) await runner.run(give(owner));
      else await runner.run(sh`mkdir -m ${mode.toString(8)} -- ${path} && chown ${owner} ${path}`);
    },
    async rollback({ runner }, before) {
      const was = textOf(before, 'owner');
      if (was === '') await runner.run(sh`rm -rf -- ${path}`);
      else if (await runner.stat(path)) await runner.run(give(was));
    },
  });
}
