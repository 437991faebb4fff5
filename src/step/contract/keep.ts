import { createHash } from 'node:crypto';
import { join } from 'node:path/posix';
import { fail } from '../../common/errors/errors.ts';
import type { Json } from '../../common/json.ts';
import { backUp, missingParents, removeWithParents, restoreBackup } from '../../runner/backup.ts';
import { flagOf, textOf, textsOf } from '../../util/json-fields.ts';
import type { StepContext } from './step.ts';

/** Looks at what is at a path before a part of a step changes it, and keeps a copy on the host. */
export async function rememberPath(ctx: StepContext, part: string, path: string): Promise<Json> {
  const { runner } = ctx;
  const [state, sha256, missing] = await Promise.all([
    runner.stat(path),
    runner.sha256(path),
    runner.query(missingParents(path)),
  ]);
  // A folder where a file should be stops the step; it is never replaced.
  if (state && state.type !== 'directory') await runner.run(backUp(path, keptAt(ctx, part)));
  return {
    exists: state !== undefined,
    type: state?.type ?? '',
    mode: state?.mode ?? 0,
    owner: state?.owner ?? '',
    sha256: sha256 ?? '',
    missing: missing.stdout.split('\n').filter(Boolean),
  };
}

/** Makes a path what `rememberPath` saw. */
export async function restorePath(ctx: StepContext, part: string, path: string, before: Json): Promise<void> {
  if (!flagOf(before, 'exists')) {
    await ctx.runner.run(removeWithParents(path, textsOf(before, 'missing')));
    return;
  }
  if (textOf(before, 'type') === 'directory') return;
  await requireKept(ctx, part, path);
  await ctx.runner.run(restoreBackup(path, keptAt(ctx, part)));
}

/** Where a part of a step keeps what was there before; parts of one step share the folder. */
export const keptAt = ({ keepDir }: StepContext, part: string): string => join(keepDir, keptName(part));

export const keptName = (part: string): string => createHash('sha256').update(part).digest('hex').slice(0, 16);

/** Says so when the copy is gone, instead of leaving something half undone. */
export async function requireKept(ctx: StepContext, part: string, path: string): Promise<void> {
  if (await ctx.runner.stat(keptAt(ctx, part))) return;
  throw fail('KEPT_COPY_MISSING', { host: ctx.host.name, path });
}
