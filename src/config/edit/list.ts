import type { Splice } from './source.ts';

/** A list of the cluster file, whose items can be changed without touching the text around them. */
export interface EditableList {
  /** Adds items after the last one, in the style of the list. Lines after the first must be indented already. */
  append(items: readonly string[]): readonly Splice[];
  /** `label` returns the words that identify an item: a comment above it that starts with one of them is removed, too. */
  remove(indexes: ReadonlySet<number>, label?: (index: number) => readonly string[]): readonly Splice[];
  /** Replaces a scalar by one or more scalars. */
  replace(index: number, items: readonly [string, ...string[]]): readonly Splice[];
}
