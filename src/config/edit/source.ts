import { isAlias, isMap, isNode, isScalar, parseAllDocuments, type Document, type Node, type Pair } from 'yaml';

/** The first YAML document of a cluster file, with the offset of each part. Line breaks are normalized to \n. */
export interface Source {
  readonly text: string;
  readonly document: Document.Parsed;
}

/** Replaces the text between two offsets. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Thrown if a part of the file cannot be edited. The message contains the part and the reason. */
export class NotEditable extends Error {}

/** Parses a text that `parse` accepts. */
export function openSource(original: string): Source {
  const text = original.replaceAll(/\r\n?/g, '\n');
  const documents = parseAllDocuments(text, {
    keepSourceTokens: true,
    merge: true,
    uniqueKeys: false,
    logLevel: 'silent',
  });
  const [document] = Array.isArray(documents) ? documents : [];
  if (!document || document.errors.length > 0) throw new NotEditable('it is not valid YAML');
  return { text, document };
}

/** Applies splices to the original text and keeps its line breaks. Offsets refer to the normalized text. */
export function applySplices(original: string, splices: readonly Splice[]): string {
  const offsetOf = originalOffsets(original);
  const lineBreak = /\r\n?|\n/.exec(original)?.[0] ?? '\n';
  let result = '';
  let at = 0;
  for (const { start, end, text } of splices.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (offsetOf(start) < at) throw new NotEditable('the changes overlap');
    result += original.slice(at, offsetOf(start)) + text.replaceAll('\n', lineBreak);
    at = offsetOf(end);
  }
  return result + original.slice(at);
}

function originalOffsets(original: string): (offset: number) => number {
  if (!original.includes('\r')) return (offset) => offset;
  const offsets: number[] = [];
  for (let index = 0; index < original.length; index++) {
    offsets.push(index);
    if (original[index] === '\r' && original[index + 1] === '\n') index++;
  }
  return (offset) => offsets[offset] ?? original.length;
}

/** Returns the node at a path, resolving aliases and merge keys, or undefined if there is none. */
export function nodeAt({ document }: Source, path: readonly string[]): Node | undefined {
  return path.reduce<Node | undefined>(
    (node, key) => valueOf(document, pairOf(document, node, key)),
    resolved(document, document.contents),
  );
}

/** Returns the pair with a key, from the map itself or from a map that it merges. */
export function pairOf(document: Document.Parsed, map: unknown, key: string): Pair | undefined {
  if (!isMap(map)) return undefined;
  const own = map.items.find((pair) => keyOf(pair) === key);
  if (own) return own;
  const merged = map.items.flatMap((pair) => (keyOf(pair) === '<<' ? [resolved(document, pair.value)] : []));
  const sources = merged.flatMap((each) => (each && 'items' in each && !isMap(each) ? each.items : [each]));
  return sources.map((source) => pairOf(document, resolved(document, source), key)).find((pair) => pair !== undefined);
}

/** Returns the text of a key. The value of the key `<<` is a symbol. */
export const keyOf = ({ key }: Pair): string =>
  isScalar(key) ? (typeof key.value === 'symbol' ? (key.source ?? '') : String(key.value)) : '';

export const valueOf = (document: Document.Parsed, pair: Pair | undefined): Node | undefined =>
  resolved(document, pair?.value);

export const resolved = (document: Document.Parsed, node: unknown): Node | undefined =>
  isAlias(node) ? node.resolve(document) : isNode(node) ? node : undefined;

/** Returns the end of a node, without trailing line breaks and comments. */
export function contentEnd(text: string, node: Node): number {
  const last = isBlock(node) ? lastChild(node) : undefined;
  if (last) return contentEnd(text, last);
  const [start, end] = node.range ?? [0, 0];
  return start + text.slice(start, end).trimEnd().length;
}

const isBlock = (node: Node) => node.srcToken?.type === 'block-map' || node.srcToken?.type === 'block-seq';

function lastChild(node: Node): Node | undefined {
  const item: unknown = 'items' in node && Array.isArray(node.items) ? node.items.at(-1) : undefined;
  if (isNode(item)) return item;
  if (typeof item !== 'object' || item === null || !('key' in item) || !('value' in item)) return undefined;
  // The value of `key:` is empty and starts after the colon.
  return isNode(item.value) ? item.value : isNode(item.key) ? item.key : undefined;
}

/** Returns the offset of the first character of the line. */
export const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;

/** Returns the offset of the line break that ends the line, or of the end of the text. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end;
}

/** Returns whether the rest of the line is empty or a comment. */
export const isRestOfLineEmpty = (text: string, offset: number): boolean =>
  /^[ \t]*$|^[ \t]+#/.test(text.slice(offset, lineEnd(text, offset)));
