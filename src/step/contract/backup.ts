import { createHash } from 'node:crypto';
import { join } from 'node:path/posix';
import { fail } from '../../common/errors/errors.ts';
import type { Json } from '../../common/json.ts';
import { backUp, missingParents, removeWithParents, restoreBackup } from '../../runner/backup.ts';
import { flagOf, textOf, textsOf } from '../../util/json-fields.ts';
import type { StepContext } from './part.ts';

/** Describes a path before a part changes it, and copies it to the backup directory on the host. */
export async function rememberPath(ctx: StepContext, part: string, path: string): Promise<Json> {
  const { runner } = ctx;
  const [state, sha256, missing] = await Promise.all([
    runner.stat(path),
    runner.sha256(path),
    runner.query(missingParents(path)),
  ]);
  // A directory in place of a file makes the step fail; it is never replaced.
  if (state && state.type !== 'directory') await runner.run(backUp(path, backupPath(ctx, part)));
  return {
    exists: state !== undefined,
    type: state?.type ?? '',
    mode: state?.mode ?? 0,
    owner: state?.owner ?? '',
    sha256: sha256 ?? '',
    missing: missing.stdout.split('\n').filter(Boolean),
  };
}

/** Restores a path to the state that `rememberPath` returned. */
export async function restorePath(ctx: StepContext, part: string, path: string, before: Json): Promise<void> {
  if (!flagOf(before, 'exists')) {
    await ctx.runner.run(removeWithParents(path, textsOf(before, 'missing')));
    return;
  }
  if (textOf(before, 'type') === 'directory') return;
  await requireBackup(ctx, part, path);
  await ctx.runner.run(restoreBackup(path, backupPath(ctx, part)));
}

/** The backup path of a part; all parts of a step share the directory. */
export const backupPath = ({ keepDir }: StepContext, part: string): string => join(keepDir, backupName(part));

export const backupName = (part: string): string => createHash('sha256').update(part).digest('hex').slice(0, 16);

/** Fails if the backup is missing, so that nothing is left half undone. */
export async function requireBackup(ctx: StepContext, part: string, path: string): Promise<void> {
  if (await ctx.runner.stat(backupPath(ctx, part))) return;
  throw fail('KEPT_COPY_MISSING', { host: ctx.host.name, path });
}
