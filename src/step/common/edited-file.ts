import type { Json } from '../../common/json.ts';
import type { Command } from '../../runner/command.ts';
import { unifiedDiff } from '../../util/unified-diff.ts';
import { findingOf } from '../contract/finding.ts';
import { backupPath, rememberPath, restorePath } from '../contract/backup.ts';
import type { PartKey } from '../contract/key.ts';
import type { GenericStep, StepContext } from '../contract/part.ts';

/** A file of which kubexm manages only a section. */
export interface EditedFileOptions {
  readonly key: PartKey;
  readonly path: string;
  readonly summary: string;
  /** Name of the file's backup; must not change between releases. */
  readonly copy: string;
  readonly formerly: readonly string[];
  /** Returns the desired text; the same text if nothing has to change. */
  readonly edit: (text: string) => string;
  /** Removes our section from a text that others changed since, given the original text. */
  readonly undo: (text: string, original: string) => string;
  /** Shown if the text differs: "block differs". */
  readonly because: string;
  /** Does not create the file. */
  readonly onlyIfExists?: boolean;
  /** Succeeds on the host only if nothing has to change; for files that are too large to read at every check. */
  readonly isUnchanged?: Command;
}

/** Ensures that the file contains our section. Other lines are left unchanged, also on undo. */
export function editedFile(options: EditedFileOptions): GenericStep {
  const { key, path, summary, copy, formerly, edit, onlyIfExists = false, isUnchanged } = options;
  return Object.freeze<GenericStep>({
    key,
    summary,
    formerly,
    async precheck({ runner }) {
      if (isUnchanged && (await runner.test(isUnchanged))) return findingOf([]);
      const current = await runner.read(path);
      if (current === undefined && onlyIfExists) return findingOf([]);
      const wanted = edit(current ?? '');
      if (current === wanted) return findingOf([]);
      const because = current === undefined ? 'does not exist' : options.because;
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

/** The input of undoing an edit; independent of the cluster file. */
export type Edited = Pick<EditedFileOptions, 'path' | 'copy' | 'undo'>;

/** Restores the whole file if only our section changed; otherwise removes our section and keeps the changes of others. */
export async function restoreEdited(ctx: StepContext, { path, copy, undo }: Edited, before: Json): Promise<void> {
  const { runner } = ctx;
  const [current, found, kept = ''] = await Promise.all([
    runner.read(path),
    runner.stat(path),
    runner.read(backupPath(ctx, copy)),
  ]);
  if (found === undefined || current === undefined) return restorePath(ctx, copy, path, before);
  const content = undo(current, kept);
  // Editing adds a trailing newline; an original without one is restored without it.
  if (content.replace(/\n$/, '') === kept.replace(/\n$/, '')) return restorePath(ctx, copy, path, before);
  if (content !== current) await runner.write({ path, content, mode: found.mode, owner: found.owner });
}
