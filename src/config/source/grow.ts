import { isAlias, isMap, isNode, isScalar, isSeq, type Document, type Node, type Pair } from 'yaml';
import { syntax, type Parsed, type SyntaxFinding } from './syntax.ts';
import { emptyMap, type MapTree, type Place, type Tree } from './tree.ts';

/** Turns a document into a tree: aliases followed, `<<` merged, keys that stand twice told. */
export function grow(document: Document.Parsed, at: (offset: number) => Place): Parsed {
  const findings: SyntaxFinding[] = [];
  let broken = false;
  let budget = MAX_NODES;
  const toTree = (node: unknown, around: Place): Tree => {
    if (--budget < 0) throw new TooManyNodes();
    const place = isNode(node) && node.range ? at(node.range[0]) : around;
    if (isAlias(node)) return follow(node.resolve(document), place);
    if (isMap(node)) return toMap(node.items, place);
    if (isSeq(node)) return { type: 'list', items: node.items.map((item) => toTree(item, place)), place };
    return { type: 'scalar', ...scalarOf(node), place };
  };
  const follow = (target: Node | undefined, place: Place): Tree => {
    // Without its name: a password that begins with * looks just like an alias.
    if (!target)
      findings.push(
        syntax(place, 'begins with * and so is an alias, but has no anchor before it; put it in quotes if it is text'),
      );
    broken ||= !target;
    return toTree(target, place);
  };
  const toMap = (pairs: readonly Pair[], place: Place): MapTree => {
    const map = emptyMap(place);
    for (const { key, value } of pairs) {
      const keyPlace = isNode(key) && key.range ? at(key.range[0]) : place;
      const name = keyText(key);
      const tree = toTree(value, keyPlace);
      if (name === '<<' && tree.type !== 'scalar') merge(map, tree);
      else if (map.entries.get(name)?.place.type === 'file' && !map.merged.has(name))
        findings.push(syntax(keyPlace, TWICE));
      else if (name === '__proto__') findings.push(syntax(keyPlace, 'is a key that cannot be used'));
      else map.entries.set(name, { place: keyPlace, tree });
      map.merged.delete(name);
    }
    return map;
  };
  try {
    const tree = toTree(document.contents, at(0));
    return { tree: broken ? undefined : tree, findings };
  } catch (error) {
    if (!(error instanceof TooManyNodes || error instanceof RangeError)) throw error;
    return { tree: undefined, findings: [syntax(at(0), 'grows without measure when its aliases are followed')] };
  }
}

const TWICE = 'has a key that is already there; each key may stand once';

/** Keys of `<<: *anchor` are there unless the map has its own. */
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

/** Many more than any cluster has, and few enough to count in a second. */
const MAX_NODES = 200_000;

class TooManyNodes extends Error {}

function scalarOf(node: unknown): { readonly value: string | number | boolean | null; readonly source: string } {
  const value = isScalar(node) ? node.value : null;
  const source = isScalar(node) ? (node.source ?? (isPlain(value) ? String(value) : '')) : '';
  if (typeof value === 'bigint') return { value: Number(value), source };
  return { value: isPlain(value) ? value : source, source };
}

const keyText = (key: unknown) => {
  if (isScalar(key)) return isPlain(key.value) ? String(key.value) : (key.source ?? '');
  return isNode(key) ? key.toString() : '';
};

const isPlain = (value: unknown): value is string | number | boolean | null =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);
