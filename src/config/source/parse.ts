import {
  LineCounter,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseAllDocuments,
  type Document,
  isNode,
  type Node,
  type Pair,
} from 'yaml';
import { mendPunctuation } from './punctuation.ts';
import { emptyMap, type MapTree, type Place, type Tree } from './tree.ts';

/** Something that keeps the text from being read as YAML. */
export interface SyntaxFinding {
  readonly place: Place;
  readonly message: string;
}

/** The text as a tree, as far as it could be read, and what is wrong with its form. */
export interface Parsed {
  readonly tree: Tree | undefined;
  readonly findings: readonly SyntaxFinding[];
}

export function parse(text: string): Parsed {
  const mended = mendPunctuation(text);
  const wide = mended.found.map(({ line, column, message }) => ({
    place: { type: 'file' as const, line, column },
    message,
  }));
  const lines = new LineCounter();
  const documents = parseAllDocuments(mended.text, {
    lineCounter: lines,
    prettyErrors: false,
    merge: true,
    logLevel: 'silent',
  });
  const [document, second] = Array.isArray(documents) ? documents : [];
  const at = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { type: 'file', line, column: col };
  };
  if (!document) return { tree: undefined, findings: [...wide, { place: at(0), message: 'holds no YAML document' }] };
  const errors = document.errors.map((error) => ({
    place: at(error.pos[0]),
    message: explain(error.code, error.message),
  }));
  if (second)
    errors.push({ place: at(second.range[0]), message: 'begins a second document; one file describes one cluster' });
  const findings = [...wide, ...firstOfEachLine(errors)];
  // A key that stands twice leaves a tree that can be read on; anything else does not.
  if (document.errors.some(({ code }) => code !== 'DUPLICATE_KEY')) return { tree: undefined, findings };
  return grow(document, at, findings);
}

function grow(document: Document.Parsed, at: (offset: number) => Place, findings: readonly SyntaxFinding[]): Parsed {
  let budget = MAX_NODES;
  const unresolved: SyntaxFinding[] = [];
  const toTree = (node: Node | null | undefined, around: Place): Tree => {
    if (--budget < 0) throw new TooManyNodes();
    const place = node?.range ? at(node.range[0]) : around;
    if (isAlias(node)) {
      const target = node.resolve(document);
      if (!target)
        unresolved.push({
          place,
          message: `is an alias of ${node.source}, and no anchor &${node.source} stands before it`,
        });
      return toTree(target, place);
    }
    if (isMap(node)) return toMap(node.items, place);
    if (isSeq(node))
      return { type: 'list', items: node.items.map((item) => toTree(isNode(item) ? item : null, place)), place };
    return { type: 'scalar', ...scalarOf(node), place };
  };
  const toMap = (pairs: readonly Pair[], place: Place): MapTree => {
    const map = emptyMap(place);
    for (const { key, value } of pairs) {
      const keyPlace = isNode(key) && key.range ? at(key.range[0]) : place;
      const tree = toTree(isNode(value) ? value : null, keyPlace);
      if (isScalar(key) && key.source === '<<' && tree.type !== 'scalar') merge(map, tree);
      else map.entries.set(isNode(key) ? keyText(key) : '', { place: keyPlace, tree });
    }
    return map;
  };
  try {
    const tree = toTree(document.contents, at(0));
    return unresolved.length > 0 ? { tree: undefined, findings: [...findings, ...unresolved] } : { tree, findings };
  } catch (error) {
    if (!(error instanceof TooManyNodes || error instanceof RangeError)) throw error;
    return {
      tree: undefined,
      findings: [...findings, { place: at(0), message: 'grows without measure when its aliases are followed' }],
    };
  }
}

/** Keys of `<<: *anchor` are there unless the map has its own. */
function merge(map: MapTree, from: Tree): void {
  const sources = from.type === 'list' ? from.items : [from];
  for (const source of sources) {
    if (source.type !== 'map') continue;
    for (const [key, entry] of source.entries) if (!map.entries.has(key)) map.entries.set(key, entry);
  }
}

/** Many more than any cluster has, and few enough to count in a second. */
const MAX_NODES = 200_000;

class TooManyNodes extends Error {}

function scalarOf(node: Node | null | undefined): { value: string | number | boolean | null; source: string } {
  const value = isScalar(node) ? node.value : null;
  const source = isScalar(node) ? (node.source ?? String(value)) : '';
  if (typeof value === 'bigint') return { value: Number(value), source };
  return { value: isPlain(value) ? value : source, source };
}

const keyText = (key: Node) => (isScalar(key) && isPlain(key.value) ? String(key.value) : key.toString());

const isPlain = (value: unknown): value is string | number | boolean | null =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);

function explain(code: string, message: string): string {
  switch (code) {
    case 'TAB_AS_INDENT':
      return 'is indented with a tab; YAML wants spaces';
    case 'DUPLICATE_KEY':
      return 'has a key that is already there; each key may stand once';
    default:
      return `is no valid YAML: ${firstSentence(message)}`;
  }
}

const firstSentence = (message: string) => message.split('\n')[0]!.replace(/\.$/, '');

/** One slip makes the parser stumble several times on a line; the first says it all. */
function firstOfEachLine(findings: readonly SyntaxFinding[]): readonly SyntaxFinding[] {
  const seen = new Set<number>();
  return findings.filter(({ place }) => {
    if (place.type !== 'file') return true;
    const isNew = !seen.has(place.line);
    seen.add(place.line);
    return isNew;
  });
}
