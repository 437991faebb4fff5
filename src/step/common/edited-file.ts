import type { Json } from '../../common/json.ts';
import { unifiedDiff } from '../../util/unified-diff.ts';
import { findingOf } from '../contract/finding.ts';
import { keptAt, rememberPath, restorePath } from '../contract/keep.ts';
import type { PartKey } from '../contract/key.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';

/** A file that is others' but for a part of it. */
export interface EditedFileOptions {
  readonly key: PartKey;
  readonly path: string;
  readonly summary: string;
  /** Names the copy that is kept of the file; permanent. */
  readonly copy: string;
  readonly formerly: readonly string[];
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
  const { key, path, summary, copy, formerly, edit, onlyIfThere = false } = options;
  return Object.freeze<GenericStep>({
    key,
    summary,
    formerly,
    async precheck({ runner }) {
      const current = await runner.read(path);
      if (current === undefined && onlyIfThere) return findingOf([]);
      const wanted = edit(current ?? '');
      if (current === wanted) return findingOf([]);
      const because = current === undefined ? 'it does not exist' : options.because;
      return findingOf([because], unifiedDiff(path, current ?? '', wanted));
    },
    remember: (ctx) => rememberPath(ctx, copy, path),
    async run({ runner }) {
      const [current, found] = await Promise.all([runner.read(path), runner.stat(path)]);
      const { mode = 0o644, owner = 'root:root' } = found ?? {};
      await runner.write({ path, content: edit(current ?? ''), mode, owner });
    },
    rollback: (ctx, before) => restoreEdited(ctx, options, before),
  });
}

/** What undoing an edit needs: no setting of the cluster file. */
export type Edited = Pick<EditedFileOptions, 'path' | 'copy' | 'undo'>;

/** Restores the whole file where only our part differs; otherwise takes our part out and keeps what others changed. */
export async function restoreEdited(ctx: StepContext, { path, copy, undo }: Edited, before: Json): Promise<void> {
  const { runner } = ctx;
  const [current, found, kept = ''] = await Promise.all([
    runner.read(path),
    runner.stat(path),
    runner.read(keptAt(ctx, copy)),
  ]);
  if (found === undefined || current === undefined) return restorePath(ctx, copy, path, before);
  const content = undo(current, kept);
  if (content === kept) return restorePath(ctx, copy, path, before);
  if (content !== current) await runner.write({ path, content, mode: found.mode, owner: found.owner });
}
