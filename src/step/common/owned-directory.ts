import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path/posix';
import type { Json } from '../../common/json.ts';
import { sh, type Command } from '../../runner/command.ts';
import { missingParents } from '../../runner/backup.ts';
import { unmountBelow } from './unmount.ts';
import { flagOf, numberOf, textOf, textsOf } from '../../util/json-fields.ts';
import { findingOf, pathDifferences } from '../contract/finding.ts';
import type { GenericStep, Restore, StepContext } from '../contract/part.ts';
import { runTogether } from '../contract/run-together.ts';

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
    together: 'records',
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
      await runTogether(
        ctx,
        sh`[ -d ${path} ] || { umask 022; mkdir -p -- ${path} && chmod ${mode.toString(8)} ${path}; } || exit
umask 077; mkdir -p -- ${dirname(marker)} && : >${marker}`,
      );
    },
    rollback: (ctx, before) => restoreOwnedDirectory(ctx, path, before),
  });
}

/** Empties the directory unless it had content before, and removes it if kubexm created it. */
export const restoreOwnedDirectory: Restore = async (ctx, path, before) => {
  const marker = markerOf(ctx, path);
  if (!flagOf(before, 'used')) await removeContent(ctx, path, before);
  // Last: without the marker, a later run would record the content that an interrupted undo has left as the original state.
  await ctx.runner.run(sh`rm -f -- ${marker} && { rmdir -- ${dirname(marker)} 2>/dev/null || true; }`);
};

/** The directory that all programs share. Only the namespaces of Pods are removed, together with the Pods. */
export const NETWORK_NAMESPACES = '/run/netns';

async function removeContent({ runner }: StepContext, path: string, before: Json): Promise<void> {
  if (path !== NETWORK_NAMESPACES) await runner.run(empty(path));
  if (flagOf(before, 'exists')) {
    const was = numberOf(before, 'mode').toString(8);
    await runner.run(sh`mkdir -p -- ${path} && chown ${textOf(before, 'owner')} ${path} && chmod ${was} ${path}`);
    return;
  }
  const folders = [path, ...textsOf(before, 'missing')].map((one) => sh`rmdir -- ${one} 2>/dev/null || true`.text);
  await runner.run({ text: folders.join('\n'), display: `remove ${path}` });
}

/** Programs mount file systems in their directories, such as the cgroup mount of Calico; a mount point cannot be deleted. */
const empty = (path: string): Command => {
  const remove = sh`find ${path} -xdev -mindepth 1 ! -path ${`${path}/lost+found`} -delete`;
  return {
    text: sh`[ -d ${path} ] || exit 0
${unmountBelow(path)}
${remove}`.text,
    display: remove.display,
  };
};

/** Marks that the original state is recorded: it cannot be determined once a program has filled the directory. */
const markerOf = ({ originDir }: StepContext, path: string) =>
  join(dirname(originDir), 'owned', createHash('sha256').update(path).digest('hex').slice(0, 16));
