import { printable } from '../diagnostic/quote.ts';

/** Where a value is set: in the cluster file, or outside it by a flag or an environment variable. */
export type Location =
  | { readonly type: 'file'; readonly line: number; readonly column: number }
  | { readonly type: 'override'; readonly text: string };

/** A parsed YAML value with the location of each part. */
export type Tree = ScalarTree | MapTree | ListTree;

export interface ScalarTree {
  readonly type: 'scalar';
  readonly value: string | number | boolean | null;
  /** The text as written in the file: the value of 1.30 is 1.3. */
  readonly source: string;
  readonly location: Location;
}

/** A YAML map with its keys in file order. */
export interface MapTree {
  readonly type: 'map';
  readonly entries: Map<string, { readonly location: Location; readonly tree: Tree }>;
  /** Keys merged with `<<`. Keys of the map itself override them. */
  readonly merged: Set<string>;
  readonly location: Location;
}

export interface ListTree {
  readonly type: 'list';
  readonly items: Tree[];
  readonly location: Location;
}

/** The keys and indexes from the root to a value. */
export type Path = readonly (string | number)[];

export const emptyMap = (location: Location): MapTree => ({
  type: 'map',
  entries: new Map(),
  merged: new Set(),
  location,
});

/** Returns the subtree at `path`, if there is one. */
export function treeAt(root: Tree, path: Path): Tree | undefined {
  let at: Tree | undefined = root;
  for (const key of path) {
    if (at?.type === 'map') at = at.entries.get(String(key))?.tree;
    else if (at?.type === 'list') at = at.items[Number(key)];
    else return undefined;
  }
  return at;
}

/** Returns the location of the value or key at `path`, or of its nearest existing ancestor. */
export function locationOf(root: Tree, path: Path, part: 'key' | 'value' = 'value'): Location {
  const parent = treeAt(root, path.slice(0, -1));
  const key = path.at(-1);
  if (key === undefined) return root.location;
  if (parent?.type === 'map') {
    const entry = parent.entries.get(String(key));
    if (entry) return part === 'key' || entry.tree.type !== 'scalar' ? entry.location : entry.tree.location;
  }
  const item = parent?.type === 'list' ? parent.items[Number(key)] : undefined;
  return item?.location ?? locationOf(root, path.slice(0, -1), part);
}

/** Conversion rules that depend on the schema. */
export interface ValueOptions {
  /** Returns whether to keep `null` at a path; otherwise the key counts as unset. */
  readonly keepNull: (path: Path) => boolean;
  /** Returns whether to keep the original text of a number at a path. */
  readonly asText: (path: Path) => boolean;
}

/** Converts a tree to plain values. `path` is the path of the tree itself. */
export function toValue(tree: Tree, options: ValueOptions, path: Path = []): unknown {
  switch (tree.type) {
    case 'scalar':
      return typeof tree.value === 'number' && options.asText(path) ? tree.source : tree.value;
    case 'list':
      return tree.items.map((item, index) => toValue(item, options, [...path, index]));
    case 'map':
      return Object.fromEntries(
        [...tree.entries]
          .map(([key, { tree: child }]) => ({ key, child, at: [...path, key] }))
          .filter(({ child, at }) => !isNull(child) || options.keepNull(at))
          .map(({ key, child, at }) => [key, toValue(child, options, at)]),
      );
  }
}

export const isNull = (tree: Tree) => tree.type === 'scalar' && tree.value === null;

/** Formats a path as "spec.hosts[0].port". */
export const formatPath = (path: Path) =>
  path
    .map((key, index) =>
      typeof key === 'number' ? `[${key}]` : needsQuotes(key) ? `["${printable(key)}"]` : `${index ? '.' : ''}${key}`,
    )
    .join('');

const needsQuotes = (key: string) => !/^[\w-]+$/.test(key);
