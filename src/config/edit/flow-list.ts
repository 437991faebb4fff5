import type { CST } from 'yaml';
import type { EditableList } from './list.ts';
import { isRestOfLineEmpty, lineEnd, lineStart, type Splice } from './source.ts';

/** Returns a list or map in brackets, such as `[a, b]` or `{a: 1, b: 2}`, on one or more lines. */
export function flowList(text: string, token: CST.FlowCollection): EditableList {
  const list = read(text, token);
  return {
    append: (items) => append(list, items),
    remove: (indexes) => runsOf(indexes).flatMap((run) => removeRun(list, run)),
    replace: (index, items) => [{ ...list.items[index]!, text: items.join(separator(list)) }],
  };
}

interface FlowList {
  readonly text: string;
  /** The offset after the opening bracket. */
  readonly inside: number;
  readonly items: readonly { readonly start: number; readonly end: number }[];
  /** The offsets of the commas after the items. The last item may have no comma. */
  readonly commas: readonly number[];
}

function read(text: string, { start, items }: CST.FlowCollection): FlowList {
  const commas = items.flatMap((item) => item.start.filter(({ type }) => type === 'comma').map(({ offset }) => offset));
  const spans = items.flatMap((item) => {
    const tokens = [
      ...item.start.filter(({ type }) => !BETWEEN.has(type)),
      ...(item.key ? [item.key] : []),
      ...(item.sep ?? []).filter(({ type }) => !BETWEEN.has(type)),
      ...(item.value ? [item.value] : []),
    ];
    const [first, last] = [tokens[0], tokens.at(-1)];
    return first && last ? [{ start: first.offset, end: endOf(last) }] : [];
  });
  return { text, inside: start.offset + 1, items: spans, commas };
}

const BETWEEN: ReadonlySet<string> = new Set(['comma', 'space', 'newline', 'comment']);

function endOf(token: CST.Token): number {
  if (token.type === 'flow-collection') return (token.end[0]?.offset ?? token.offset) + 1;
  return token.offset + ('source' in token ? token.source.length : 0);
}

function append(list: FlowList, added: readonly string[]): readonly Splice[] {
  const { text, inside, items, commas } = list;
  const last = items.at(-1);
  if (!last) return [insert(inside, added.join(', '))];
  const indent = indentOf(text, last.start);
  if (indent === undefined) return [insert(last.end, added.map((item) => separator(list) + item).join(''))];
  const comma = commas[items.length - 1];
  const lines = added.map((item) => `\n${indent}${item}`);
  const end = comma === undefined ? last.end : comma + 1;
  if (!isRestOfLineEmpty(text, end)) return [insert(last.end, lines.map((line) => `,${line}`).join(''))];
  const at = lineEnd(text, end);
  // Keeps the trailing comma if the list has one.
  if (comma !== undefined) return [insert(at, lines.map((line) => `${line},`).join(''))];
  return [insert(last.end, ','), insert(at, lines.join(','))];
}

/** Returns the white space before an item that starts a line. */
function indentOf(text: string, start: number): string | undefined {
  const before = text.slice(lineStart(text, start), start);
  return /^[ \t]*$/.test(before) ? before : undefined;
}

/** Returns the text between two items on the same line. */
function separator({ text, items }: FlowList): string {
  const between = items.slice(1).map(({ start }, index) => text.slice(items[index]!.end, start));
  return between.find((each) => /^ *, *$/.test(each)) ?? ', ';
}

interface Run {
  readonly first: number;
  readonly last: number;
}

/** Groups consecutive indexes, so that removals of adjacent items do not overlap. */
function runsOf(indexes: ReadonlySet<number>): readonly Run[] {
  const runs: Run[] = [];
  for (const index of [...indexes].sort((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run && run.last === index - 1) runs[runs.length - 1] = { first: run.first, last: index };
    else runs.push({ first: index, last: index });
  }
  return runs;
}

function removeRun({ text, items, commas }: FlowList, { first, last }: Run): readonly Splice[] {
  const { start } = items[first]!;
  const { end } = items[last]!;
  const [previous, next] = [items[first - 1], items[last + 1]];
  const [before, after] = [commas[first - 1], commas[last]];
  if (next && !text.slice(end, next.start).includes('\n')) return [cut(start, next.start)];
  if (previous && before !== undefined && !text.slice(previous.end, start).includes('\n')) return [cut(before, end)];
  const tail = after !== undefined && after < lineEnd(text, end) ? after + 1 : end;
  const comma = tail === end ? (after ?? before) : undefined;
  const commaCut = comma === undefined ? [] : [cut(comma, comma + 1)];
  if (indentOf(text, start) !== undefined && isRestOfLineEmpty(text, tail))
    return [cut(lineStart(text, start) - 1, lineEnd(text, tail)), ...commaCut];
  const isPlainGap = before !== undefined && after === undefined && /^\s*$/.test(text.slice(before + 1, start));
  return isPlainGap ? [cut(before, end)] : [cut(start, tail), ...commaCut];
}

const cut = (start: number, end: number): Splice => ({ start, end, text: '' });
const insert = (at: number, text: string): Splice => ({ start: at, end: at, text });
