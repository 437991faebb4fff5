import { put, sameValue, take, type Entry } from '../source/edit.ts';
import { isNull, treeAt, type Path, type Location, type Tree } from '../source/tree.ts';

/** An alternative name of a field. Both paths are dotted and relative to spec. */
export interface Move {
  readonly from: string;
  readonly to: string;
  /**
   * Converts the value to the canonical form. If it returns undefined, the value is not moved and the schema reports
   * it.
   */
  readonly convert?: (tree: Tree) => Tree | undefined;
}

/** A message about how an alternative name or value was interpreted. */
export interface AliasFinding {
  readonly type: 'note' | 'conflict' | 'ignored';
  readonly location: Location;
  readonly path: string;
  readonly message: string;
}

export const specPath = (dotted: string): Path => ['spec', ...dotted.split('.')];

/** Moves a value to the canonical field. Modifies the tree. */
export function applyMove(root: Tree, { from, to, convert = (tree) => tree }: Move): AliasFinding | undefined {
  const source = specPath(from);
  const found = treeAt(root, source);
  if (found === undefined || isNull(found)) return void take(root, source);
  const converted = convert(found);
  if (converted === undefined) return undefined;
  const location = take(root, source)?.location ?? found.location;
  return moveEntry(root, { from, to }, { location, tree: converted });
}

function moveEntry(root: Tree, { from, to }: Move, entry: Entry): AliasFinding | undefined {
  const existing = treeAt(root, specPath(to));
  const note = { location: entry.location, path: `spec.${from}` };
  // An override on the command line takes precedence, even if it uses an alternative name.
  if (entry.location.type === 'override')
    return put(root, specPath(to), entry) ? { ...note, type: 'note', message: `is read as spec.${to}` } : undefined;
  if (existing !== undefined && !isNull(existing) && !isEmptyText(existing)) {
    if (sameValue(existing, entry.tree)) return { ...note, type: 'note', message: `is another name for spec.${to}` };
    return {
      ...note,
      type: 'conflict',
      message: `is another name for spec.${to}, which has a different value; keep one of them`,
    };
  }
  if (!put(root, specPath(to), entry))
    return {
      ...note,
      type: 'conflict',
      message: `is another name for spec.${to}, but a part of that path is not a map`,
    };
  return { ...note, type: 'note', message: `is read as spec.${to}` };
}

const isEmptyText = (tree: Tree) => tree.type === 'scalar' && tree.value === '';
