import type { Severity } from '../load/diagnostic.ts';
import type { Spec } from '../schema/cluster.ts';
import type { Path } from '../source/tree.ts';
import type { RuleFinding } from './rule.ts';
import { rules } from './rules.ts';

/** What a rule found, with its name. */
export interface AskedFinding extends RuleFinding {
  readonly rule: string;
  readonly severity: Severity;
}

/** Asks every rule whose fields are in order; one that reads a faulty value would only repeat that. */
export function askRules(spec: Spec, faulty: readonly Path[], today: Date): readonly AskedFinding[] {
  const atFault = (path: Path) => faulty.some((other) => touches(path, other));
  return rules
    .filter(({ reads, each }) => each || !reads.some((pattern) => atFault(['spec', ...pattern.split('.')])))
    .flatMap(({ id, severity, each, check }) =>
      check(spec, today)
        .map((found) => ({ ...found, rule: id, severity, path: ['spec', ...found.path] }))
        .filter(({ path }) => !each || !atFault(path)),
    );
}

/** True when one of both paths leads to or through the other. */
const touches = (pattern: Path, path: Path) =>
  pattern.slice(0, path.length).every((word, index) => word === '*' || String(word) === String(path[index]));
