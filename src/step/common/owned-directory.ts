import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path/posix';
import { sh } from '../../runner/command.ts';
import { missingParents } from '../../runner/backup.ts';
import { flagOf, numberOf, textOf, textsOf } from '../../util/json-fields.ts';
import { findingOf, pathDifferences } from '../contract/finding.ts';
import type { GenericStep, Restore, StepContext } from '../contract/part.ts';

/** A directory that a program of ours fills. */
export interface OwnedDirectoryOptions {
  readonly path: string;
  /** When it is made; what it is later is the program's own affair. 0755 unless told. */
  readonly mode?: number;
}

/** The directory exists. Undone, all that is in it goes with it, unless something was in it before: then it is not ours. */
export function ownedDirectory({ path, mode = 0o755 }: OwnedDirectoryOptions): GenericStep {
  return Object.freeze<GenericStep>({
    key: `owned-directory:${path}`,
    summary: `make the directory ${path}`,
    formerly: [`owned directory ${path}`, `make the directory ${path}`],
    async precheck(ctx) {
      const [state, noted] = await Promise.all([ctx.runner.stat(path), ctx.runner.stat(noteOf(ctx, path))]);
      const differences = pathDifferences(state, { type: 'directory' });
      return findingOf(noted ? differences : [...differences, 'it is not noted what was in it before']);
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
      const note = noteOf(ctx, path);
      await ctx.runner
        .run(sh`[ -d ${path} ] || { umask 022; mkdir -p -- ${path} && chmod ${mode.toString(8)} ${path}; } || exit
umask 077; mkdir -p -- ${dirname(note)} && : >${note}`);
    },
    rollback: (ctx, before) => restoreOwnedDirectory(ctx, path, before),
  });
}

/** Empties the directory unless something was in it before, and removes it if kubexm made it. */
export const restoreOwnedDirectory: Restore = async (ctx, path, before) => {
  const { runner } = ctx;
  const note = noteOf(ctx, path);
  await runner.run(sh`rm -f -- ${note} && { rmdir -- ${dirname(note)} 2>/dev/null || true; }`);
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

/** Once a program has filled it nobody can tell any more what was there before. */
const noteOf = ({ originDir }: StepContext, path: string) =>
  join(dirname(originDir), 'owned', createHash('sha256').update(path).digest('hex').slice(0, 16));
