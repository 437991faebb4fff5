import { unifiedDiff } from '../../util/unified-diff.ts';
import { findingOf } from '../contract/finding.ts';
import { keptAt, rememberPath, restorePath } from '../contract/keep.ts';
import type { GenericStep } from '../contract/step.ts';

/** A file that is others' but for a part of it. */
export interface EditedFileOptions {
  readonly path: string;
  readonly summary: string;
  /** Names what is kept of it on the host; for good. */
  readonly state: string;
  /** What the text should be; the same when it is as it should be. */
  readonly edit: (text: string) => string;
  /** Takes our part out of a text that others changed since, by what the file was. */
  readonly undo: (text: string, original: string) => string;
  /** Why it is not done: "the block differs". */
  readonly because: string;
  /** A file that is not there is left so. */
  readonly onlyIfThere?: boolean;
}

/** The file has our part in it; its other lines are left alone, also when it is undone. */
export function editedFile(options: EditedFileOptions): GenericStep {
  const { path, summary, state, edit, onlyIfThere = false } = options;
  return Object.freeze<GenericStep>({
    summary,
    state,
    async precheck({ runner }) {
      const current = await runner.read(path);
      if (current === undefined && onlyIfThere) return findingOf([]);
      const wanted = edit(current ?? '');
      if (current === wanted) return findingOf([]);
      const because = current === undefined ? 'it does not exist' : options.because;
      return findingOf([because], unifiedDiff(path, current ?? '', wanted));
    },
    remember: (ctx) => rememberPath(ctx, state, path),
    async run({ runner }) {
      const [current, found] = await Promise.all([runner.read(path), runner.stat(path)]);
      const { mode = 0o644, owner = 'root:root' } = found ?? {};
      await runner.write({ path, content: edit(current ?? ''), mode, owner });
    },
    async rollback(ctx, before) {
      const { runner } = ctx;
      const [current, found, kept = ''] = await Promise.all([
        runner.read(path),
        runner.stat(path),
        runner.read(keptAt(ctx, state)),
      ]);
      // What others wrote since is theirs: then only our part is taken out.
      if (found === undefined || current === undefined || [kept, edit(kept)].includes(current)) {
        return restorePath(ctx, state, path, before);
      }
      const content = options.undo(current, kept);
      if (content !== current) await runner.write({ path, content, mode: found.mode, owner: found.owner });
    },
  });
}
