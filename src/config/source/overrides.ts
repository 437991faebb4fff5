import { fail } from '../../common/errors/errors.ts';
import { nearest } from '../diagnostic/nearest.ts';
import { isSecretKey } from '../model/secrets.ts';
import { put, textAt } from './edit.ts';
import { parse } from './parse.ts';
import { formatPath, treeAt, type Path, type Location, type Tree } from './tree.ts';

/** Applies `-e key=value` to the tree. The key is a path, relative to spec by default; the value is YAML. */
export function applyOverrides(root: Tree, overrides: readonly string[]): void {
  for (const override of overrides) applyOverride(root, override);
}

function applyOverride(root: Tree, text: string): void {
  const equals = text.indexOf('=');
  if (equals < 0) throw invalid('…', 'the = is missing');
  const key = text.slice(0, equals);
  const path = toPath(root, key);
  const location: Location = { type: 'override', text: `-e ${key}` };
  const tree = valueOf(text.slice(equals + 1), key, path, location);
  if (!put(root, path, { location, tree })) throw invalid(key, 'a part of the key is not a map');
}

/** Creates the error for an invalid override. The message never contains the value, because it may be a password. */
const invalid = (key: string, reason: string) => fail('OVERRIDE_INVALID', { text: key.slice(0, 80), reason });

function valueOf(text: string, key: string, path: Path, location: Location): Tree {
  const isText = text.trim() === '' || (isSecretKey(String(path.at(-1))) && !text.startsWith('{'));
  if (isText) return { type: 'scalar', value: text, source: text, location };
  const { tree, findings } = parse(text);
  if (!tree || findings.length > 0) throw invalid(key, 'the value is not valid YAML');
  return withLocation(tree, location);
}

/**
 * Parses a key: `hosts[0].port`, `hosts.node1.port` and `spec.hosts[0].port` are equivalent; `["a.b"]` is a key with a
 * dot.
 */
function toPath(root: Tree, key: string): Path {
  const words = [...key.matchAll(/\["([^"]+)"\]|([^.[\]]+)/g)].map(([, quotedKey, word]) => quotedKey ?? word!);
  const [first] = words;
  if (first === undefined) throw invalid(key, 'the key before the = is missing');
  const absolute = TOP_LEVEL.has(first) ? words : ['spec', ...words];
  return absolute.reduce<Path>((path, word) => {
    const parent = treeAt(root, path);
    return [...path, parent?.type === 'list' ? indexOf(parent.items, word, key, path) : word];
  }, []);
}

const TOP_LEVEL: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'spec']);

function indexOf(items: readonly Tree[], word: string, key: string, path: Path): number {
  const names = items.map((item) => textAt(item, ['name']) ?? '');
  const index = /^\d+$/.test(word) ? Number(word) : names.indexOf(word);
  if (index >= 0 && index < items.length) return index;
  const suggestion = nearest(word, names);
  throw invalid(
    key,
    `${formatPath(path)} has no item ${word}${suggestion === undefined ? '' : ` (did you mean ${suggestion}?)`}`,
  );
}

function withLocation(tree: Tree, location: Location): Tree {
  switch (tree.type) {
    case 'scalar':
      return { ...tree, location };
    case 'list':
      return { ...tree, items: tree.items.map((item) => withLocation(item, location)), location };
    case 'map':
      return {
        ...tree,
        entries: new Map(
          [...tree.entries].map(([key, entry]) => [key, { location, tree: withLocation(entry.tree, location) }]),
        ),
        location,
      };
  }
}
