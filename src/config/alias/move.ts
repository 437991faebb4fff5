import { put, sameValue, take, type Entry } from '../source/edit.ts';
import { isNull, treeAt, type Path, type Place, type Tree } from '../source/tree.ts';

/** Another spelling of a field: where it may stand and where it belongs. */
export interface Move {
  /** Keys below spec, with dots. */
  readonly from: string;
  readonly to: string;
  /** Turns the value into the canonical form; undefined leaves it for the schema to complain about. */
  readonly convert?: (tree: Tree) => Tree | undefined;
}

/** What was read as what. */
export interface AliasFinding {
  readonly type: 'note' | 'conflict' | 'ignored';
  readonly place: Place;
  readonly path: string;
  readonly message: string;
}

export const specPath = (dotted: string): Path => ['spec', ...dotted.split('.')];

/** Moves a value to where it belongs, in place. */
export function applyMove(root: Tree, { from, to, convert = (tree) => tree }: Move): AliasFinding | undefined {
  const source = specPath(from);
  const found = treeAt(root, source);
  if (found === undefined || isNull(found)) return void take(root, source);
  const converted = convert(found);
  if (converted === undefined) return undefined;
  const place = take(root, source)?.place ?? found.place;
  return settle(root, { from, to }, { place, tree: converted });
}

function settle(root: Tree, { from, to }: Move, entry: Entry): AliasFinding | undefined {
  const existing = treeAt(root, specPath(to));
  const note = { place: entry.place, path: `spec.${from}` };
  // What the command line says counts, whatever name it uses.
  if (entry.place.type === 'override')
    return put(root, specPath(to), entry) ? { ...note, type: 'note', message: `is read as spec.${to}` } : undefined;
  if (existing !== undefined && !isNull(existing) && !isEmptyText(existing)) {
    if (sameValue(existing, entry.tree)) return { ...note, type: 'note', message: `is another name for spec.${to}` };
    return {
      ...note,
      type: 'conflict',
      message: `is another name for spec.${to}, which says something else; keep one of them`,
    };
  }
  if (!put(root, specPath(to), entry))
    return { ...note, type: 'conflict', message: `belongs to spec.${to}, but something else than a map stands there` };
  return { ...note, type: 'note', message: `is read as spec.${to}` };
}

const isEmptyText = (tree: Tree) => tree.type === 'scalar' && tree.value === '';
