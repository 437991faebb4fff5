import { unifiedDiff } from '../../util/unified-diff.ts';
import { blockIn, withBlock, type Block } from '../block.ts';
import { findingOf } from '../difference.ts';
import { keptAt, rememberPath, restorePath } from '../keep.ts';
import type { GenericStep } from '../step.ts';

/** Which lines of a file belong to kubexm. */
export interface ManagedBlockOptions {
  readonly path: string;
  /** Tells the blocks of one file apart. */
  readonly marker: string;
  readonly content: string;
  /** How a comment of this kind of file begins; "#" unless told. */
  readonly comment?: string;
}

/** Between two marker lines of the file stands exactly this content; the other lines are left alone. */
export function managedBlock({ path, marker, content, comment = '#' }: ManagedBlockOptions): GenericStep {
  const block: Block = { marker, comment, content };
  const part = `block ${marker} ${path}`;
  return Object.freeze<GenericStep>({
    summary: `write the block ${marker} of ${path}`,
    async precheck({ runner }) {
      const current = await runner.read(path);
      const wanted = withBlock(current ?? '', block);
      if (current === wanted) return findingOf([]);
      const because = current === undefined ? 'it does not exist' : 'the block differs';
      return findingOf([because], unifiedDiff(path, current ?? '', wanted));
    },
    remember: (ctx) => rememberPath(ctx, part, path),
    async run({ runner }) {
      const [current, state] = await Promise.all([runner.read(path), runner.stat(path)]);
      const { mode = 0o644, owner = 'root:root' } = state ?? {};
      await runner.write({ path, content: withBlock(current ?? '', block), mode, owner });
    },
    async rollback(ctx, before) {
      const { runner } = ctx;
      const [current, state, kept = ''] = await Promise.all([
        runner.read(path),
        runner.stat(path),
        runner.read(keptAt(ctx, part)),
      ]);
      // Lines that others wrote since are theirs: then only the block is put back.
      if (state === undefined || current === undefined || [kept, withBlock(kept, block)].includes(current)) {
        return restorePath(ctx, part, path, before);
      }
      const restored = withBlock(current, { ...block, content: blockIn(kept, block) });
      if (restored !== current) await runner.write({ path, content: restored, mode: state.mode, owner: state.owner });
    },
  });
}
