import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path/posix';
import { sh } from '../../runner/command.ts';
import { missingParents } from '../../runner/backup.ts';
import { flagOf, numberOf, textOf, textsOf } from '../../util/json-fields.ts';
import { findingOf, pathDifferences } from '../contract/finding.ts';
import type { GenericStep, Restore, StepContext } from '../contract/part.ts';

/** A directory that a program installed by kubexm fills. */
export interface OwnedDirectoryOptions {
  readonly path: string;
  /** The mode of a new directory; the program may change it later. 0755 by default. */
  readonly mode?: number;
}

/**
 * Ensures that the directory exists. Undo removes it with its content, unless it had content before: then it is not
 * ours.
 */
export function ownedDirectory({ path, mode = 0o755 }: OwnedDirectoryOptions): GenericStep {
  return Object.freeze<GenericStep>({
    key: `owned-directory:${path}`,
    summary: `create directory ${path}`,
    formerly: [`owned directory ${path}`, `make the directory ${path}`],
    async precheck(ctx) {
      const [state, marker] = await Promise.all([ctx.runner.stat(path), ctx.runner.stat(markerOf(ctx, path))]);
      const differences = pathDifferences(state, { type: 'directory' });
      return findingOf(marker ? differences : [...differences, 'its original state is not recorded']);
    },
    async remember({ runner }) {
      const [state, content, missing] = await Promise.all([
        runner.stat(path),
        runner.query(sh`ls -A -- ${path} 2>/dev/null | grep -vxF lost+found | head -n 1`),
        runner.query(missingParents(path)),
      ]);
      return {
        exists: state !== undefined,
        used: content.stdout.trim() !== '',
        mode: state?.mode ?? 0,
        owner: state?.ids ?? '',
        missing: missing.stdout.split('\n').filter(Boolean),
      };
    },
    async run(ctx) {
      const marker = markerOf(ctx, path);
      await ctx.runner
        .run(sh`[ -d ${path} ] || { umask 022; mkdir -p -- ${path} && chmod ${mode.toString(8)} ${path}; } || exit
umask 077; mkdir -p -- ${dirname(marker)} && : >${marker}`);
    },
    rollback: (ctx, before) => restoreOwnedDirectory(ctx, path, before),
  });
}

/** Empties the directory unless it had content before, and removes it if kubexm created it. */
export const restoreOwnedDirectory: Restore = async (ctx, path, before) => {
  const { runner } = ctx;
  const marker = markerOf(ctx, path);
  await runner.run(sh`rm -f -- ${marker} && { rmdir -- ${dirname(marker)} 2>/dev/null || true; }`);
  if (flagOf(before, 'used')) return;
  await runner.run(sh`[ ! -d ${path} ] || find ${path} -xdev -mindepth 1 ! -path ${`${path}/lost+found`} -delete`);
  if (flagOf(before, 'exists')) {
    const was = numberOf(before, 'mode').toString(8);
    await runner.run(sh`mkdir -p -- ${path} && chown ${textOf(before, 'owner')} ${path} && chmod ${was} ${path}`);
    return;
  }
  const folders = [path, ...textsOf(before, 'missing')].map((one) => sh`rmdir -- ${one} 2>/dev/null || true`.text);
  await runner.run({ text: folders.join('\n'), display: `remove ${path}` });
};

/** Marks that the original state is recorded: it cannot be determined once a program has filled the directory. */
const markerOf = ({ originDir }: StepContext, path: string) =>
  join(dirname(originDir), 'owned', createHash('sha256').update(path).digest('hex').slice(0, 16));
