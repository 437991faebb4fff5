import { emptyMap, treeAt, type MapTree, type Path, type Location, type Tree } from './tree.ts';

/** A value with the location of its key. */
export interface Entry {
  readonly location: Location;
  readonly tree: Tree;
}

/** Removes and returns the entry at `path`, together with ancestors that become empty. */
export function take(root: Tree, path: Path): Entry | undefined {
  const parent = treeAt(root, path.slice(0, -1));
  const key = String(path.at(-1));
  if (parent?.type !== 'map') return undefined;
  const entry = parent.entries.get(key);
  parent.entries.delete(key);
  if (entry && parent.entries.size === 0 && path.length > 2) take(root, path.slice(0, -1));
  return entry;
}

/** Sets the entry at `path` and creates missing maps; returns false if a part of the path is not a map. */
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
  return put(childMap(root, String(key), entry.location), rest, entry);
}

function childMap(parent: MapTree, key: string, location: Location): Tree {
  const found = parent.entries.get(key)?.tree;
  if (found && !(found.type === 'scalar' && found.value === null)) return found;
  const created = emptyMap(location);
  parent.entries.set(key, { location, tree: created });
  return created;
}

export const scalar = (value: string | number | boolean, location: Location): Tree => ({
  type: 'scalar',
  value,
  source: String(value),
  location,
});

/** Returns the string at `path`, if there is one. */
export function textAt(root: Tree, path: Path): string | undefined {
  const tree = treeAt(root, path);
  return tree?.type === 'scalar' && typeof tree.value === 'string' ? tree.value : undefined;
}

/** Compares two trees by value, ignoring locations. */
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
