import { isScalar, isSeq, type Node, type YAMLMap, type YAMLSeq } from 'yaml';
import { flowList } from './flow-list.ts';
import { openList } from './open-list.ts';
import { extendRange, namesOf, withoutNames } from './role-range.ts';
import { quotesOf, writeScalar, type Quotes } from './scalar.ts';
import {
  contentEnd,
  lineEnd,
  lineStart,
  NotEditable,
  pairOf,
  resolved,
  valueOf,
  type Source,
  type Splice,
} from './source.ts';

/** Adds names to a role group, which may be missing or empty. */
export function addToGroup(source: Source, groups: YAMLMap, key: string, names: readonly string[]): readonly Splice[] {
  const pair = pairOf(source.document, groups, key);
  const group = valueOf(source.document, pair);
  if (isSeq(group)) return addToList(source, group, key, names);
  if (!pair) return addGroup(source, groups, key, names);
  if (!isScalar(group) || group.value !== null || !group.range)
    throw new NotEditable(`spec.roleGroups.${key} is not a list`);
  const [start, end] = group.range;
  if (start < end) return [{ start, end, text: flowText(names, '') }];
  if (groups.srcToken?.type !== 'block-map') return [{ start, end, text: ` ${flowText(names, '')}` }];
  return [
    { start: lineEnd(source.text, start), end: lineEnd(source.text, start), text: blockText(source, groups, names) },
  ];
}

/** Removes names from a role group. Splits ranges if necessary. */
export function removeFromGroup(
  source: Source,
  group: YAMLSeq,
  key: string,
  names: ReadonlySet<string>,
): readonly Splice[] {
  const list = openList(source, group, `spec.roleGroups.${key}`);
  const entries = group.items.map((item) => entryOf(source, item));
  const changed = entries.flatMap(({ text, quotes }, index) =>
    namesOf(text).some((name) => names.has(name)) ? [{ index, quotes, parts: withoutNames(text, names) }] : [],
  );
  const emptied = changed.filter(({ parts }) => parts.length === 0).map(({ index }) => index);
  return [
    ...list.remove(new Set(emptied)),
    ...changed.flatMap(({ index, quotes, parts: [first, ...more] }) =>
      first === undefined
        ? []
        : list.replace(index, [writeEntry(first, quotes), ...more.map((part) => writeEntry(part, quotes))]),
    ),
  ];
}

function addToList(source: Source, group: YAMLSeq, key: string, names: readonly string[]): readonly Splice[] {
  const list = openList(source, group, `spec.roleGroups.${key}`);
  const { text, quotes } = entryOf(source, group.items.at(-1));
  const rest = [...names];
  let range = text;
  for (
    let longer = extendRange(range, rest[0] ?? '');
    longer !== undefined;
    longer = extendRange(range, rest[0] ?? '')
  ) {
    range = longer;
    rest.shift();
  }
  // Within brackets, a range must be quoted, but a name does not have to be.
  const nameQuotes = quotes === "'" && text.includes('[') ? '' : quotes;
  return [
    ...(range === text ? [] : list.replace(group.items.length - 1, [writeEntry(range, quotes)])),
    ...(rest.length === 0 ? [] : list.append(rest.map((name) => writeScalar(name, nameQuotes)))),
  ];
}

interface Entry {
  readonly text: string;
  readonly quotes: Quotes;
}

function entryOf({ document }: Source, item: unknown): Entry {
  const node = resolved(document, item);
  return { text: isScalar(node) ? String(node.value) : '', quotes: quotesOf(node) };
}

/** Writes an entry. Does not quote a range if the original range was not quoted, unlike `writeScalar`. */
const writeEntry = (entry: string, quotes: Quotes) =>
  quotes === '' && entry.includes('[') ? entry : writeScalar(entry, quotes);

function addGroup(source: Source, groups: YAMLMap, key: string, names: readonly string[]): readonly Splice[] {
  const { text } = source;
  const token = groups.srcToken;
  const quotes = quotesOf(groups.items[0]?.key);
  if (token?.type === 'flow-collection')
    return flowList(text, token).append([`${writeScalar(key, quotes)}: ${flowText(names, quotes)}`]);
  if (token?.type !== 'block-map') throw new NotEditable('spec.roleGroups is not a map');
  const at = lineEnd(text, contentEnd(text, groups));
  const indent = indentOf(source, token.offset);
  const head = `\n${indent}${writeScalar(key, quotes)}:`;
  return [
    {
      start: at,
      end: at,
      text: head + (blockGroup(source, groups) ? blockText(source, groups, names) : ` ${flowText(names, '')}`),
    },
  ];
}

const flowText = (names: readonly string[], quotes: Quotes) =>
  `[${names.map((name) => writeScalar(name, quotes)).join(', ')}]`;

/** Returns the lines of a group, with dashes indented as in the other groups. */
function blockText(source: Source, groups: YAMLMap, names: readonly string[]): string {
  const like = blockGroup(source, groups);
  const indent = like?.srcToken
    ? indentOf(source, like.srcToken.offset)
    : `${indentOf(source, groups.range?.[0] ?? 0)}  `;
  return names.map((name) => `\n${indent}- ${writeScalar(name, '')}`).join('');
}

const blockGroup = ({ document }: Source, groups: YAMLMap): Node | undefined =>
  groups.items.map((pair) => valueOf(document, pair)).find((group) => group?.srcToken?.type === 'block-seq');

const indentOf = ({ text }: Source, offset: number) => {
  const before = text.slice(lineStart(text, offset), offset);
  if (!/^ *$/.test(before)) throw new NotEditable('spec.roleGroups does not start on its own line');
  return before;
};
