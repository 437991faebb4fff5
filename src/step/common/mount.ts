import { sh } from '../../runner/command.ts';
import { missingFolders, removeWithFolders } from '../../runner/keep.ts';
import { fieldOf, flagOf, textsOf } from '../../util/json-fields.ts';
import { unifiedDiff } from '../../util/unified-diff.ts';
import { findingOf } from '../contract/finding.ts';
import { entryIn, withEntry } from './text/fstab.ts';
import { rememberPath, restorePath } from '../contract/keep.ts';
import type { GenericStep, StepContext } from '../contract/step.ts';

/** A file system and where it is. */
export interface MountOptions {
  /** "/dev/vdb", "UUID=…", "tmpfs" */
  readonly source: string;
  readonly path: string;
  readonly type: string;
  /** "defaults" unless told. */
  readonly options?: string;
}

/** The file system is mounted at the path, and is there again after a boot. */
export function mount({ source, path, type, options = 'defaults' }: MountOptions): GenericStep {
  const entry = { source, path, type, options };
  const part = `mount ${path}`;
  return Object.freeze<GenericStep>({
    summary: `mount ${source} at ${path}`,
    state: part,
    async precheck(ctx) {
      const { fstab, mounted } = await look(ctx, path);
      const now = entryIn(fstab, path);
      const same = now !== undefined && JSON.stringify(now) === JSON.stringify(entry);
      return findingOf(
        [
          ...(mounted ? [] : ['it is not mounted']),
          ...(mounted && type !== 'none' && mounted !== type ? [`a file system of type ${mounted} is there`] : []),
          ...(same ? [] : [`${FSTAB} ${now === undefined ? 'has no such line' : 'has another line'}`]),
        ],
        same ? '' : unifiedDiff(FSTAB, fstab, withEntry(fstab, entry)),
      );
    },
    async remember(ctx) {
      const [{ mounted }, table, missing] = await Promise.all([
        look(ctx, path),
        rememberPath(ctx, part, FSTAB),
        ctx.runner.look(missingFolders(`${path}/x`)),
      ]);
      return { mounted: mounted !== undefined, fstab: table, missing: missing.stdout.split('\n').filter(Boolean) };
    },
    async run(ctx) {
      const [{ fstab, mounted }, state] = await Promise.all([look(ctx, path), ctx.runner.stat(FSTAB)]);
      const { mode = 0o644, owner = 'root:root' } = state ?? {};
      const content = withEntry(fstab, entry);
      if (content !== fstab) await ctx.runner.write({ path: FSTAB, content, mode, owner });
      await ctx.runner.run(sh`mkdir -p -- ${path} && { systemctl daemon-reload 2>/dev/null || true; }`);
      if (mounted === undefined) await ctx.runner.run(sh`mount ${path}`);
    },
    async rollback(ctx, before) {
      const { mounted } = await look(ctx, path);
      if (mounted !== undefined && !flagOf(before, 'mounted')) await ctx.runner.run(sh`umount ${path}`);
      await restorePath(ctx, part, FSTAB, fieldOf(before, 'fstab') ?? null);
      await ctx.runner.run(sh`systemctl daemon-reload 2>/dev/null || true`);
      await ctx.runner.run(removeWithFolders(`${path}/.kubexm-nothing`, textsOf(before, 'missing')));
    },
  });
}

const FSTAB = '/etc/fstab';

/** The table, and the type of what is mounted at the path, if anything is. */
async function look({ runner }: StepContext, path: string) {
  const [fstab = '', mounts = ''] = await Promise.all([runner.read(FSTAB), runner.read('/proc/self/mounts')]);
  return {
    fstab,
    mounted: mounts
      .split('\n')
      .map((line) => entryIn(line, path))
      .findLast(Boolean)?.type,
  };
}
