import type { Splice } from './source.ts';

/** A list in the cluster file. Its items can be changed without changing the surrounding text. */
export interface EditableList {
  /** Appends items in the style of the list. Lines after the first must already be indented. */
  append(items: readonly string[]): readonly Splice[];
  /**
   * Removes items. `label` returns the words that identify an item; a comment above it that starts with one of them is
   * also removed.
   */
  remove(indexes: ReadonlySet<number>, label?: (index: number) => readonly string[]): readonly Splice[];
  /** Replaces a scalar with one or more scalars. */
  replace(index: number, items: readonly [string, ...string[]]): readonly Splice[];
}
