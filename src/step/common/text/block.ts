/** The lines of a file between two marker lines. */
export interface Block {
  readonly marker: string;
  /** The comment prefix. */
  readonly comment: string;
  /** Undefined if there is no such block. */
  readonly content: string | undefined;
  /** Inserts a new block at the beginning of the file; at its end by default. */
  readonly first?: boolean;
}

/** Replaces, inserts or, if its content is undefined, removes a block. */
export function withBlock(text: string, block: Block): string {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  const [start, end] = rangeOf(lines, block);
  const { content } = block;
  const body = content === undefined ? [] : [begin(block), ...bodyOf(content), finish(block)];
  const all = [...lines.slice(0, start), ...body, ...lines.slice(end)];
  return all.length === 0 ? '' : `${all.join('\n')}\n`;
}

/** The content of a block; undefined if the text has none. */
export function blockIn(text: string, block: Omit<Block, 'content'>): string | undefined {
  const lines = text.split('\n');
  const [start, end] = rangeOf(lines, block);
  return end === start
    ? undefined
    : lines
        .slice(start + 1, end - 1)
        .map((line) => `${line}\n`)
        .join('');
}

/** The lines of a block, markers included. A block without end marker consists of its begin marker only. */
function rangeOf(lines: readonly string[], block: Omit<Block, 'content'>): readonly [number, number] {
  const start = lines.indexOf(begin(block));
  if (start < 0) return block.first ? [0, 0] : [lines.length, lines.length];
  const end = lines.indexOf(finish(block), start);
  return end < 0 ? [start, start + 1] : [start, end + 1];
}

/** The first and the last line of a block. */
export const markersOf = (block: Omit<Block, 'content'>): readonly [string, string] => [begin(block), finish(block)];

const begin = ({ comment, marker }: Omit<Block, 'content'>) => `${comment} BEGIN kubexm ${marker}`;
const finish = ({ comment, marker }: Omit<Block, 'content'>) => `${comment} END kubexm ${marker}`;
const bodyOf = (content: string) => (content === '' ? [] : content.replace(/\n$/, '').split('\n'));
