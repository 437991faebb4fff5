import { fail } from '../../common/errors/errors.ts';
import { parse } from './parse.ts';
import { nearest } from '../load/nearest.ts';
import { isSecretKey } from '../model/secret-key.ts';
import { put, textAt } from './edit.ts';
import { formatPath, treeAt, type Path, type Place, type Tree } from './tree.ts';

/** Puts `-e key=value` over the file, in place. The key is a path below spec; the value is read as YAML. */
export function applyOverrides(root: Tree, overrides: readonly string[]): void {
  for (const override of overrides) applyOverride(root, override);
}

function applyOverride(root: Tree, text: string): void {
  const equals = text.indexOf('=');
  if (equals < 0) throw invalid('…', 'there is no = in it');
  const key = text.slice(0, equals);
  const path = toPath(root, key);
  const place: Place = { type: 'override', text: `-e ${key}` };
  const tree = valueOf(text.slice(equals + 1), key, path, place);
  if (!put(root, path, { place, tree })) throw invalid(key, 'the key leads through a value that has no keys');
}

/** A password may stand after the =, so only the key is ever shown. */
const invalid = (key: string, reason: string) => fail('OVERRIDE_INVALID', { text: key.slice(0, 80), reason });

function valueOf(text: string, key: string, path: Path, place: Place): Tree {
  const isText = text.trim() === '' || (isSecretKey(String(path.at(-1))) && !text.startsWith('{'));
  if (isText) return { type: 'scalar', value: text, source: text, place };
  const { tree, findings } = parse(text);
  if (!tree || findings.length > 0) throw invalid(key, 'the value is no valid YAML');
  return movedTo(tree, place);
}

/** `hosts[0].port`, `hosts.node1.port` and `spec.hosts[0].port` are the same; `["a.b"]` is a key with a dot. */
function toPath(root: Tree, key: string): Path {
  const words = [...key.matchAll(/\["([^"]+)"\]|([^.[\]]+)/g)].map(([, quotedKey, word]) => quotedKey ?? word!);
  const [first] = words;
  if (first === undefined) throw invalid(key, 'there is no key before the =');
  const below = TOP.has(first) ? words : ['spec', ...words];
  return below.reduce<Path>((path, word) => {
    const parent = treeAt(root, path);
    return [...path, parent?.type === 'list' ? indexOf(parent.items, word, key, path) : word];
  }, []);
}

const TOP: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'spec']);

function indexOf(items: readonly Tree[], word: string, key: string, path: Path): number {
  const names = items.map((item) => textAt(item, ['name']) ?? '');
  const index = /^\d+$/.test(word) ? Number(word) : names.indexOf(word);
  if (index >= 0 && index < items.length) return index;
  const meant = nearest(word, names);
  throw invalid(
    key,
    `${formatPath(path)} has no item ${word}${meant === undefined ? '' : ` (did you mean ${meant}?)`}`,
  );
}

function movedTo(tree: Tree, place: Place): Tree {
  switch (tree.type) {
    case 'scalar':
      return { ...tree, place };
    case 'list':
      return { ...tree, items: tree.items.map((item) => movedTo(item, place)), place };
    case 'map':
      return {
        ...tree,
        entries: new Map([...tree.entries].map(([key, entry]) => [key, { place, tree: movedTo(entry.tree, place) }])),
        place,
      };
  }
}
