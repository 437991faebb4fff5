import { isAlias, isMap, isNode, isScalar, isSeq, type Document, type Node, type Pair } from 'yaml';
import { emptyMap, type Location, type MapTree, type Tree } from './tree.ts';

/** A reason why the text cannot be read as one YAML document. */
export interface SyntaxFinding {
  readonly type: 'syntax' | 'second-document';
  readonly location: Location;
  readonly message: string;
}

/** The readable part of the text and its syntax errors. */
export interface Parsed {
  readonly tree: Tree | undefined;
  readonly findings: readonly SyntaxFinding[];
}

export const syntaxError = (location: Location, message: string): SyntaxFinding => ({
  type: 'syntax',
  location,
  message,
});

/** Converts a YAML document to a tree: resolves aliases, merges `<<` and reports duplicate keys. */
export function buildTree(document: Document.Parsed, at: (offset: number) => Location): Parsed {
  const findings: SyntaxFinding[] = [];
  let hasUnresolvedAlias = false;
  let remainingNodes = MAX_NODES;
  const toTree = (node: unknown, parent: Location): Tree => {
    if (--remainingNodes < 0) throw new TooManyNodes();
    const location = isNode(node) && node.range ? at(node.range[0]) : parent;
    if (isAlias(node)) return resolveAlias(node.resolve(document), location);
    if (isMap(node)) return toMap(node.items, location);
    if (isSeq(node)) return { type: 'list', items: node.items.map((item) => toTree(item, location)), location };
    return { type: 'scalar', ...scalarOf(node), location };
  };
  const resolveAlias = (target: Node | undefined, location: Location): Tree => {
    // The message omits the alias name, because it may be an unquoted password that starts with *.
    if (!target)
      findings.push(
        syntaxError(
          location,
          'starts with *, which makes it an alias, but the anchor does not exist; put the value in quotes if it is a string',
        ),
      );
    hasUnresolvedAlias ||= !target;
    return toTree(target, location);
  };
  const toMap = (pairs: readonly Pair[], location: Location): MapTree => {
    const map = emptyMap(location);
    for (const { key, value } of pairs) {
      const keyLocation = isNode(key) && key.range ? at(key.range[0]) : location;
      const name = keyText(key);
      const tree = toTree(value, keyLocation);
      if (name === undefined) findings.push(syntaxError(keyLocation, 'is not a valid key; a key must be a string'));
      else if (name === '<<' && tree.type !== 'scalar') merge(map, tree);
      else if (map.entries.get(name)?.location.type === 'file' && !map.merged.has(name))
        findings.push(syntaxError(keyLocation, 'is a duplicate key'));
      else if (name === '__proto__') findings.push(syntaxError(keyLocation, 'is a reserved key'));
      else map.entries.set(name, { location: keyLocation, tree });
      if (name !== undefined) map.merged.delete(name);
    }
    return map;
  };
  try {
    const tree = toTree(document.contents, at(0));
    return { tree: hasUnresolvedAlias ? undefined : tree, findings };
  } catch (error) {
    if (!(error instanceof TooManyNodes || error instanceof RangeError)) throw error;
    return { tree: undefined, findings: [syntaxError(at(0), 'is too large after its aliases are resolved')] };
  }
}

/** Adds the keys from `<<: *anchor` that the map does not define itself. */
function merge(map: MapTree, from: Tree): void {
  const sources = from.type === 'list' ? from.items : [from];
  for (const source of sources) {
    if (source.type !== 'map') continue;
    for (const [key, entry] of source.entries) {
      if (map.entries.has(key)) continue;
      map.entries.set(key, entry);
      map.merged.add(key);
    }
  }
}

/** Far more nodes than any cluster file contains, but few enough to visit within a second. */
const MAX_NODES = 200_000;

class TooManyNodes extends Error {}

function scalarOf(node: unknown): { readonly value: string | number | boolean | null; readonly source: string } {
  const value = isScalar(node) ? node.value : null;
  const source = isScalar(node) ? (node.source ?? (isPlain(value) ? String(value) : '')) : '';
  if (typeof value === 'bigint') return { value: Number(value), source };
  return { value: isPlain(value) ? value : source, source };
}

/** Returns the text of a key, or undefined if the key is a map, a list or an alias. */
const keyText = (key: unknown) => {
  if (isScalar(key)) return isPlain(key.value) ? String(key.value) : (key.source ?? '');
  return isNode(key) ? undefined : '';
};

const isPlain = (value: unknown): value is string | number | boolean | null =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);
