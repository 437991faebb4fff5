import type { Severity } from '../diagnostic/diagnostic.ts';
import { quoted } from '../diagnostic/quote.ts';
import type { Spec } from '../schema/cluster.ts';
import type { Path } from '../source/tree.ts';

/** A violation of a rule. The path is relative to spec. */
export interface RuleFinding {
  readonly path: Path;
  readonly message: string;
  readonly got?: string;
  readonly allowed?: readonly string[];
  readonly nearest?: string;
}

/** Returns the violations in a spec. The result is discarded if the check reads an invalid value. */
export type Check = (spec: Spec, today: Date) => readonly RuleFinding[];

/** A constraint that involves several fields of the cluster file. */
export interface Rule {
  /** Must not change between releases, because users search for it. */
  readonly id: string;
  readonly severity: Severity;
  /** The constraint in one sentence, for the reference page. */
  readonly about: string;
  /** Independent checks: an invalid value skips only the checks that read it. */
  readonly check: Check | readonly Check[];
}

export const finding = (path: Path, message: string, got?: string): RuleFinding => ({
  path,
  message,
  ...(got !== undefined && { got }),
});

/** Returns the `nearest` property of a finding if there is a suggestion. */
export const near = (name: string | undefined) => (name === undefined ? {} : { nearest: name });

/** Reports each value that occurred earlier in the list. */
export function repeated(values: readonly (readonly [string, Path])[], message: string): readonly RuleFinding[] {
  const seen = new Set<string>();
  return values.flatMap(([value, path]) => {
    const isNew = !seen.has(value);
    seen.add(value);
    return isNew ? [] : [finding(path, message, quoted(value))];
  });
}
