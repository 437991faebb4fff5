import { isNode, type CST, type YAMLSeq } from 'yaml';
import type { EditableList } from './list.ts';
import { contentEnd, isRestOfLineEmpty, lineEnd, lineStart, NotEditable, type Source, type Splice } from './source.ts';

/** Returns a list whose items start with a dash, each on one or more lines. */
export function blockList(source: Source, node: YAMLSeq, token: CST.BlockSequence, name: string): EditableList {
  const { text } = source;
  const items = read(source, node, token, name);
  return {
    append: (added) => [
      insert(items.at(-1)!.end, added.map((item) => gap(text, items) + bullet(items) + item).join('')),
    ],
    remove: (indexes, label = () => []) => [...indexes].map((index) => remove(text, items, index, label(index))),
    replace: (index, [first, ...more]) => {
      const { indent, space, value, valueEnd, end } = items[index]!;
      return [
        { start: value, end: valueEnd, text: first },
        ...(more.length > 0 ? [insert(end, more.map((item) => `\n${indent}-${space}${item}`).join(''))] : []),
      ];
    },
  };
}

/** An item, from its dash to the end of its last line. */
interface Item {
  /** The offset of the dash. */
  readonly start: number;
  readonly indent: string;
  /** The text between the dash and the value. */
  readonly space: string;
  readonly value: number;
  readonly valueEnd: number;
  /** The end of the last line, including indented comments that belong to the item. */
  readonly end: number;
}

function read({ text }: Source, node: YAMLSeq, token: CST.BlockSequence, name: string): readonly Item[] {
  const dashes = token.items.flatMap((item) => item.start.filter(({ type }) => type === 'seq-item-ind'));
  if (dashes.length !== node.items.length) throw new NotEditable(`${name} has an item without a value`);
  return node.items.map((child, index) => {
    const start = dashes[index]!.offset;
    const indent = text.slice(lineStart(text, start), start);
    if (!/^ *$/.test(indent) || !isNode(child) || !child.range)
      throw new NotEditable(`an item of ${name} does not start on its own line`);
    const valueEnd = contentEnd(text, child);
    if (!isRestOfLineEmpty(text, valueEnd)) throw new NotEditable(`an item of ${name} does not end its line`);
    const [value] = child.range;
    const space = text.slice(start + 1, value);
    return {
      start,
      indent,
      space: /^\s+$/.test(space) ? space : ' ',
      value,
      valueEnd,
      end: endOf(text, valueEnd, indent),
    };
  });
}

/** Comments that directly follow the item and are indented further than its dash belong to it. */
function endOf(text: string, valueEnd: number, indent: string): number {
  const end = lineEnd(text, valueEnd);
  const [comments = ''] = new RegExp(`^(\\n${indent} +#[^\\n]*)*`).exec(text.slice(end)) ?? [];
  return end + comments.length;
}

const bullet = (items: readonly Item[]) => `${items.at(-1)?.indent}-${items.at(-1)?.space}`;

/** Returns the line break before a new item, with an empty line if there is one between the last two items. */
const gap = (text: string, items: readonly Item[]) => {
  const [previous, last] = items.slice(-2);
  return previous && last && /\n[ \t]*\n/.test(text.slice(previous.end, last.start)) ? '\n\n' : '\n';
};

function remove(text: string, items: readonly Item[], index: number, label: readonly string[]): Splice {
  const { start, end, indent } = items[index]!;
  const first = withComment(text, lineStart(text, start), indent, label);
  // Removes one of the empty lines before and after the item.
  const isLast = index === items.length - 1;
  const drop = index > 0 && isBlankBefore(text, first) && (isLast || /^\n[ \t]*\n/.test(text.slice(end)));
  return { start: (drop ? lineStart(text, first - 1) : first) - 1, end, text: '' };
}

const isBlankBefore = (text: string, offset: number) => {
  const start = lineStart(text, offset);
  return start > 0 && text.slice(lineStart(text, start - 1), start).trim() === '';
};

/** Returns the start of the comment above an item if its first word is a label of the item. */
function withComment(text: string, first: number, indent: string, label: readonly string[]): number {
  let start = first;
  while (start > 0 && text.startsWith(`${indent}#`, lineStart(text, start - 1))) start = lineStart(text, start - 1);
  const [, word = ''] = /^\s*#+\s*([^\s:,;()]+)/.exec(text.slice(start, first)) ?? [];
  return label.includes(word) ? start : first;
}

const insert = (at: number, text: string): Splice => ({ start: at, end: at, text });
