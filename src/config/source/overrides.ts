import { fail } from '../../common/errors.ts';
import { parse } from './parse.ts';
import { put } from './edit.ts';
import { treeAt, type Path, type Place, type Tree } from './tree.ts';

/** Puts `-e key=value` over the file, in place. The key is a path below spec; the value is read as YAML. */
export function applyOverrides(root: Tree, overrides: readonly string[]): void {
  for (const override of overrides) applyOverride(root, override);
}

function applyOverride(root: Tree, text: string): void {
  const equals = text.indexOf('=');
  if (equals < 1)
    throw fail('OVERRIDE_INVALID', {
      text: nameOf(text),
      reason: equals < 0 ? 'there is no = in it' : 'there is no key before the =',
    });
  const key = text.slice(0, equals);
  const place: Place = { type: 'override', text: `-e ${key}` };
  const tree = valueOf(text.slice(equals + 1), key, place);
  if (!put(root, toPath(root, key), { place, tree }))
    throw fail('OVERRIDE_INVALID', { text: key, reason: 'the key leads through a value that has no keys' });
}

function valueOf(text: string, key: string, place: Place): Tree {
  if (text.trim() === '') return { type: 'scalar', value: '', source: '', place };
  const { tree, findings } = parse(text);
  if (!tree || findings.length > 0) throw fail('OVERRIDE_INVALID', { text: key, reason: 'the value is no valid YAML' });
  return movedTo(tree, place);
}

/** A password may stand after the =, so only the key is ever shown. */
const nameOf = (text: string) => text.split('=')[0]!.slice(0, 80);

/** `hosts[0].port`, `hosts.node1.port` and `spec.hosts[0].port` are the same; `["a.b"]` is a key with a dot. */
function toPath(root: Tree, key: string): Path {
  const words = [...key.matchAll(/\["([^"]+)"\]|([^.[\]]+)/g)].map(([, quotedKey, word]) => quotedKey ?? word!);
  const [first] = words;
  const below =
    first === 'spec' || first === 'metadata' || first === 'apiVersion' || first === 'kind' ? words : ['spec', ...words];
  return below.reduce<Path>((path, word) => {
    const parent = treeAt(root, path);
    return [...path, parent?.type === 'list' ? indexOf(parent.items, word) : word];
  }, []);
}

function indexOf(items: readonly Tree[], word: string): number | string {
  if (/^\d+$/.test(word)) return Number(word);
  const named = items.findIndex((item) => {
    const name = treeAt(item, ['name']);
    return name?.type === 'scalar' && name.value === word;
  });
  return named < 0 ? word : named;
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
