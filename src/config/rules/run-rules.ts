import type { Severity } from '../diagnostic/diagnostic.ts';
import type { Spec } from '../schema/cluster.ts';
import type { Path } from '../source/tree.ts';
import { guardInvalid, skipInvalid } from './invalid-values.ts';
import type { RuleFinding } from './rule.ts';
import { rules } from './rules.ts';

/** A finding with the rule that reported it. The path starts at the root of the cluster file. */
export interface RuleViolation extends RuleFinding {
  readonly rule: string;
  readonly severity: Severity;
}

/** Runs all rules. `invalid` lists the values that failed the schema; checks that read one of them are skipped. */
export function runRules(spec: Spec, invalid: readonly Path[], today: Date): readonly RuleViolation[] {
  const file = guardInvalid({ spec }, invalid);
  return rules.flatMap(({ id, severity, check }) =>
    [check]
      .flat()
      .flatMap((each) => skipInvalid(() => each(file.spec, today)))
      .map((found) => ({ ...found, rule: id, severity, path: ['spec', ...found.path] })),
  );
}
