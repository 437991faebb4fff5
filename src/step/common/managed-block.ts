import { blockIn, withBlock, type Block } from './text/block.ts';
import { editedFile, restoreEdited, type Edited } from './edited-file.ts';
import type { GenericStep, Restore } from '../contract/part.ts';

/** Which lines of a file belong to kubexm. */
export interface ManagedBlockOptions {
  readonly path: string;
  /** Tells the blocks of one file apart. */
  readonly marker: string;
  readonly content: string;
  /** How a comment of this kind of file begins; "#" unless told. */
  readonly comment?: string;
  /** A new block comes first in the file; at its end unless told. */
  readonly first?: boolean;
}

/** Between two marker lines of the file stands exactly this content; the other lines are left alone. */
export function managedBlock(options: ManagedBlockOptions): GenericStep {
  const { path, marker, content, comment = '#', first = false } = options;
  const block: Block = { marker, comment, content, first };
  return editedFile({
    key: `block:${path}#${marker}`,
    summary: `write the block ${marker} of ${path}`,
    formerly: [`block ${marker} ${path}`, `write the block ${marker} of ${path}`],
    ...editOf(path, block),
    edit: (text) => withBlock(text, block),
    because: 'the block differs',
  });
}

/** Takes the block out of the file again, or brings back the one that was there. */
export const restoreBlock: Restore = (ctx, target, before) => {
  const at = target.indexOf('#');
  const block = { marker: target.slice(at + 1), comment: '#', first: true };
  return restoreEdited(ctx, editOf(target.slice(0, at), block), before);
};

const editOf = (path: string, block: Omit<Block, 'content'>): Edited => ({
  path,
  copy: `block ${block.marker} ${path}`,
  undo: (text, original) => withBlock(text, { ...block, content: blockIn(original, block) }),
});
