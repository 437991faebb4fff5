import { emptyMap, treeAt, type MapTree, type Path, type Place, type Tree } from './tree.ts';

/** A value with the place of its key. */
export interface Entry {
  readonly place: Place;
  readonly tree: Tree;
}

/** Removes and gives what stands at `path`; maps that become empty by that go too. */
export function take(root: Tree, path: Path): Entry | undefined {
  const parent = treeAt(root, path.slice(0, -1));
  const key = String(path.at(-1));
  if (parent?.type !== 'map') return undefined;
  const entry = parent.entries.get(key);
  parent.entries.delete(key);
  if (entry && parent.entries.size === 0 && path.length > 2) take(root, path.slice(0, -1));
  return entry;
}

/** Puts a value at `path`, with maps on the way; false when something else than a map stands in the way. */
export function put(root: Tree, path: Path, entry: Entry): boolean {
  const [key, ...rest] = path;
  if (root.type === 'list' && typeof key === 'number' && key < root.items.length) {
    if (rest.length > 0) return put(root.items[key]!, rest, entry);
    root.items[key] = entry.tree;
    return true;
  }
  if (root.type !== 'map' || key === undefined) return false;
  if (rest.length === 0) {
    root.entries.set(String(key), entry);
    return true;
  }
  return put(childMap(root, String(key), entry.place), rest, entry);
}

function childMap(parent: MapTree, key: string, place: Place): Tree {
  const found = parent.entries.get(key)?.tree;
  if (found && !(found.type === 'scalar' && found.value === null)) return found;
  const made = emptyMap(place);
  parent.entries.set(key, { place, tree: made });
  return made;
}

export const scalar = (value: string | number | boolean, place: Place): Tree => ({
  type: 'scalar',
  value,
  source: String(value),
  place,
});

/** The text of a scalar at `path`. */
export function textAt(root: Tree, path: Path): string | undefined {
  const tree = treeAt(root, path);
  return tree?.type === 'scalar' && typeof tree.value === 'string' ? tree.value : undefined;
}

/** True when both hold the same values, wherever they stand. */
export function sameValue(one: Tree, other: Tree): boolean {
  switch (one.type) {
    case 'scalar':
      return other.type === 'scalar' && one.value === other.value;
    case 'list':
      return (
        other.type === 'list' &&
        one.items.length === other.items.length &&
        one.items.every((item, at) => sameValue(item, other.items[at]!))
      );
    case 'map':
      return (
        other.type === 'map' &&
        one.entries.size === other.entries.size &&
        [...one.entries].every(([key, { tree }]) => {
          const twin = other.entries.get(key);
          return twin !== undefined && sameValue(tree, twin.tree);
        })
      );
  }
}
