/** Lines of a file between two marker lines. */
export interface Block {
  readonly marker: string;
  /** How a comment begins. */
  readonly comment: string;
  /** Undefined: there is no such block. */
  readonly content: string | undefined;
  /** A new one comes first in the file; at its end unless told. */
  readonly first?: boolean;
}

/** The text with this block in the place where it was, or at its end or beginning; without it when its content is undefined. */
export function withBlock(text: string, block: Block): string {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  const [start, end] = placeOf(lines, block);
  const { content } = block;
  const body = content === undefined ? [] : [begin(block), ...bodyOf(content), finish(block)];
  const all = [...lines.slice(0, start), ...body, ...lines.slice(end)];
  return all.length === 0 ? '' : `${all.join('\n')}\n`;
}

/** The content of the block; undefined when the text has none. */
export function blockIn(text: string, block: Omit<Block, 'content'>): string | undefined {
  const lines = text.split('\n');
  const [start, end] = placeOf(lines, block);
  return end === start
    ? undefined
    : lines
        .slice(start + 1, end - 1)
        .map((line) => `${line}\n`)
        .join('');
}

/** From the first marker line to after the last one; a block that was cut off at its end is the marker line alone. */
function placeOf(lines: readonly string[], block: Omit<Block, 'content'>): readonly [number, number] {
  const start = lines.indexOf(begin(block));
  if (start < 0) return block.first ? [0, 0] : [lines.length, lines.length];
  const end = lines.indexOf(finish(block), start);
  return end < 0 ? [start, start + 1] : [start, end + 1];
}

const begin = ({ comment, marker }: Omit<Block, 'content'>) => `${comment} BEGIN kubexm ${marker}`;
const finish = ({ comment, marker }: Omit<Block, 'content'>) => `${comment} END kubexm ${marker}`;
const bodyOf = (content: string) => (content === '' ? [] : content.replace(/\n$/, '').split('\n'));
