import { isSecretKey } from '../model/secrets.ts';
import { clusterFileSchema, type ClusterFile } from '../schema/cluster.ts';
import { formsOf, schemaAt } from '../schema/json-schema.ts';
import { formatPath, toValue, type Path, type Tree } from '../source/tree.ts';
import { fillIn, leaveOut, valueAt } from './placeholders.ts';
import { toFindings, type SchemaFinding } from './schema-findings.ts';

/** Schema violations, and the cluster file without its invalid values. */
export interface SchemaCheck {
  readonly findings: readonly SchemaFinding[];
  /** The cluster file with defaults and without invalid values; undefined if too little of it is valid. */
  readonly file: ClusterFile | undefined;
  /** Paths of the invalid values. In `file`, defaults or placeholders replace them. */
  readonly invalid: readonly Path[];
}

/** Checks the cluster file against the schema and removes invalid values, so that rules can check the rest. */
export function checkSchema(tree: Tree): SchemaCheck {
  const value = toValue(tree, { keepNull, asText });
  const first = clusterFileSchema.safeParse(value);
  if (first.success) return { findings: [], file: first.data, invalid: [] };
  const findings = firstPerPath(first.error.issues.flatMap((issue) => toFindings(issue, tree, knownKeys)));
  return { findings, file: parseRest(structuredClone(value), findings), invalid: findings.flatMap(invalidPath) };
}

/** Keeps one finding per path, because zod reports follow-up errors: for [] instead of text, also that it is empty. */
function firstPerPath(findings: readonly SchemaFinding[]): readonly SchemaFinding[] {
  const seen = new Set<string>();
  return findings.filter(({ path }) => {
    const text = formatPath(path);
    const isFirst = !seen.has(text);
    seen.add(text);
    return isFirst;
  });
}

/** Removes invalid values and fills in missing ones until the rest satisfies the schema. */
function parseRest(rest: unknown, findings: readonly SchemaFinding[]): ClusterFile | undefined {
  for (const { path } of findings.toSorted(byPosition)) leaveOut(rest, path);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { success, data, error } = clusterFileSchema.safeParse(rest);
    if (success) return data;
    for (const { path } of error.issues.toSorted(byPosition)) {
      const at = path.filter((key) => typeof key !== 'symbol');
      if (valueAt(rest, at) === undefined) fillIn(rest, at);
      else leaveOut(rest, at);
    }
  }
  return undefined;
}

const MAX_ROUNDS = 4;

/** Returns the path that a finding makes invalid. For a misspelled key, that is the path of the intended key. */
function invalidPath({ rule, path, nearest }: SchemaFinding): readonly Path[] {
  if (rule !== 'unknown-key') return [path];
  return nearest === undefined ? [] : [[...path.slice(0, -1), nearest]];
}

/** Returns the keys that the schema defines at `path`. */
function knownKeys(path: Path): readonly string[] {
  const schema = schemaAt(path);
  return schema ? formsOf(schema).flatMap((form) => Object.keys(form.properties ?? {})) : [];
}

/** Returns whether to keep an empty value. An empty known field counts as unset, unless it is a secret. */
function keepNull(path: Path): boolean {
  const key = String(path.at(-1));
  return isSecretKey(key) || !knownKeys(path.slice(0, -1)).includes(key);
}

/** Returns whether to keep a number as text: in secrets, labels and flags, 1.10 is not 1.1, and 007 is not 7. */
function asText(path: Path): boolean {
  return isSecretKey(String(path.at(-1))) || ['labels', 'extraArgs'].includes(String(path.at(-2)));
}

/** Sorts higher list indexes first, because removing an item shifts the items after it. */
const byPosition = (
  one: { readonly path: readonly PropertyKey[] },
  other: { readonly path: readonly PropertyKey[] },
): number => {
  const at = one.path.findIndex((key, index) => key !== other.path[index]);
  if (at < 0) return other.path.length - one.path.length;
  const [a, b] = [one.path[at], other.path[at]];
  return typeof a === 'number' && typeof b === 'number' ? b - a : 0;
};
