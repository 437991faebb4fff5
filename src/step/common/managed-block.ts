import { blockIn, withBlock, type Block } from './text/block.ts';
import { editedFile } from './edited-file.ts';
import type { GenericStep } from '../contract/step.ts';

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
    path,
    summary: `write the block ${marker} of ${path}`,
    state: `block ${marker} ${path}`,
    edit: (text) => withBlock(text, block),
    undo: (text, original) => withBlock(text, { ...block, content: blockIn(original, block) }),
    because: 'the block differs',
  });
}
