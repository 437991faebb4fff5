import { createHash } from 'node:crypto';
import { sh, type Command } from '../../runner/command.ts';
import { blockIn, markersOf, withBlock, type Block } from './text/block.ts';
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
  /** See `hasBlock`; for blocks that are too large to read at every check. */
  readonly isUnchanged?: Command;
}

/** Ensures that the file has exactly this content between two marker lines; other lines are left unchanged. */
export function managedBlock(options: ManagedBlockOptions): GenericStep {
  const { path, marker, content, comment = '#', first = false, isUnchanged } = options;
  const block: Block = { marker, comment, content, first };
  return editedFile({
    key: `block:${path}#${marker}`,
    summary: `write block "${marker}" in ${path}`,
    formerly: [`block ${marker} ${path}`, `write the block ${marker} of ${path}`],
    ...editOf(path, block),
    edit: (text) => withBlock(text, block),
    because: 'block differs',
    ...(isUnchanged && { isUnchanged }),
  });
}

/** Succeeds on the host if the file has exactly this block, once, and ends with a newline. */
export function hasBlock({ path, marker, content, comment = '#' }: ManagedBlockOptions): Command {
  const block = { marker, comment, content };
  const [begin, end] = markersOf(block).map((line) => `/^${pattern(line)}$/`);
  const checksum = createHash('sha256').update(withBlock('', block)).digest('hex');
  return sh`[ "$(sed -n ${`${begin},${end}p`} ${path} | sha256sum)" = ${`${checksum}  -`} ] && [ -z "$(tail -c 1 ${path})" ]`;
}

/** A basic regular expression that matches exactly this text. */
const pattern = (text: string) => text.replaceAll(/[\\/.*^$[\]]/g, String.raw`\$&`);

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
