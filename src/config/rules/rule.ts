import type { Severity } from '../load/diagnostic.ts';
import type { Spec } from '../schema/cluster.ts';
import type { Path } from '../source/tree.ts';

/** What a rule found. The path is below spec. */
export interface RuleFinding {
  readonly path: Path;
  readonly message: string;
  readonly got?: string;
  readonly allowed?: readonly string[];
  readonly nearest?: string;
}

/** Something that holds across fields of a valid cluster file. */
export interface Rule {
  /** Stable, to search for. */
  readonly id: string;
  readonly severity: Severity;
  /** What holds, in one sentence for the reference page. */
  readonly about: string;
  /** Paths below spec, * for any index or key: when one of them is at fault, the rule is not asked. */
  readonly reads: readonly string[];
  /** Looks at items one by one: it is asked although some are at fault, and only what it says of those is dropped. */
  readonly each?: true;
  readonly check: (spec: Spec, today: Date) => readonly RuleFinding[];
}

export const finding = (path: Path, message: string, got?: string): RuleFinding => ({
  path,
  message,
  ...(got !== undefined && { got }),
});

/** A nearest name for a finding, if there is one. */
export const near = (name: string | undefined) => (name === undefined ? {} : { nearest: name });
