import { blockIn, withBlock, type Block } from './text/block.ts';
import { editedFile, restoreEdited, type Edited } from './edited-file.ts';
import type { GenericStep, Restore } from '../contract/part.ts';

/** The lines of a file that kubexm manages. */
export interface ManagedBlockOptions {
  readonly path: string;
  /** Distinguishes several blocks in one file. */
  readonly marker: string;
  readonly content: string;
  /** The comment prefix of the file format; "#" by default. */
  readonly comment?: string;
  /** Inserts a new block at the beginning of the file; at its end by default. */
  readonly first?: boolean;
}

/** Ensures that the file has exactly this content between two marker lines; other lines are left unchanged. */
export function managedBlock(options: ManagedBlockOptions): GenericStep {
  const { path, marker, content, comment = '#', first = false } = options;
  const block: Block = { marker, comment, content, first };
  return editedFile({
    key: `block:${path}#${marker}`,
    summary: `write block "${marker}" in ${path}`,
    formerly: [`block ${marker} ${path}`, `write the block ${marker} of ${path}`],
    ...editOf(path, block),
    edit: (text) => withBlock(text, block),
    because: 'block differs',
  });
}

/** Removes the block, or restores the previous one. */
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
