/** Where a value stands: in the file, or on the command line. */
export type Place =
  | { readonly type: 'file'; readonly line: number; readonly column: number }
  | { readonly type: 'override'; readonly text: string };

/** The cluster file before it means anything: values with their places. */
export type Tree = ScalarTree | MapTree | ListTree;

export interface ScalarTree {
  readonly type: 'scalar';
  readonly value: string | number | boolean | null;
  /** As written: 1.30 is the number 1.3. */
  readonly source: string;
  readonly place: Place;
}

/** Keys in the order of the file. */
export interface MapTree {
  readonly type: 'map';
  readonly entries: Map<string, { readonly place: Place; readonly tree: Tree }>;
  /** Keys that came by `<<` and give way to the map's own. */
  readonly merged: Set<string>;
  readonly place: Place;
}

export interface ListTree {
  readonly type: 'list';
  readonly items: Tree[];
  readonly place: Place;
}

/** Keys and indexes that lead to a value. */
export type Path = readonly (string | number)[];

export const emptyMap = (place: Place): MapTree => ({ type: 'map', entries: new Map(), merged: new Set(), place });

/** The value below `path`, if there is one. */
export function treeAt(root: Tree, path: Path): Tree | undefined {
  let at: Tree | undefined = root;
  for (const key of path) {
    if (at?.type === 'map') at = at.entries.get(String(key))?.tree;
    else if (at?.type === 'list') at = at.items[Number(key)];
    else return undefined;
  }
  return at;
}

/** Where `path` stands, or its nearest ancestor that exists. A key stands where its name is written. */
export function placeOf(root: Tree, path: Path, part: 'key' | 'value' = 'value'): Place {
  const parent = treeAt(root, path.slice(0, -1));
  const key = path.at(-1);
  if (key === undefined) return root.place;
  if (parent?.type === 'map') {
    const entry = parent.entries.get(String(key));
    if (entry) return part === 'key' || entry.tree.type !== 'scalar' ? entry.place : entry.tree.place;
  }
  const item = parent?.type === 'list' ? parent.items[Number(key)] : undefined;
  return item?.place ?? placeOf(root, path.slice(0, -1), part);
}

/** How values are read from a tree. */
export interface Reading {
  /** Whether `null` at a path is a value; otherwise it counts as not written. */
  readonly keepNull: (path: Path) => boolean;
  /** Whether a number at a path is meant as the text that was written. */
  readonly asText: (path: Path) => boolean;
}

/** Plain values, below `path`. */
export function toValue(tree: Tree, reading: Reading, path: Path = []): unknown {
  switch (tree.type) {
    case 'scalar':
      return typeof tree.value === 'number' && reading.asText(path) ? tree.source : tree.value;
    case 'list':
      return tree.items.map((item, index) => toValue(item, reading, [...path, index]));
    case 'map':
      return Object.fromEntries(
        [...tree.entries]
          .map(([key, { tree: child }]) => ({ key, child, at: [...path, key] }))
          .filter(({ child, at }) => !isNull(child) || reading.keepNull(at))
          .map(({ key, child, at }) => [key, toValue(child, reading, at)]),
      );
  }
}

export const isNull = (tree: Tree) => tree.type === 'scalar' && tree.value === null;

/** Letters that would do something to a terminal are written out. */
export const printable = (text: string) =>
  text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** "spec.hosts[0].port" */
export const formatPath = (path: Path) =>
  path
    .map((key, index) =>
      typeof key === 'number' ? `[${key}]` : needsQuotes(key) ? `["${printable(key)}"]` : `${index ? '.' : ''}${key}`,
    )
    .join('');

const needsQuotes = (key: string) => !/^[\w-]+$/.test(key);
