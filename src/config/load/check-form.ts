import { toFindings, type FormFinding } from './issues.ts';
import { formsOf, schemaAt } from '../schema/json-schema.ts';
import { fillIn, leaveOut, valueAt } from '../source/placeholders.ts';
import { clusterFileSchema, type ClusterFile } from '../schema/cluster.ts';
import { isSecretKey } from '../model/secret-key.ts';
import { toValue, type Path, type Tree } from '../source/tree.ts';

/** Every fault in the form of the file, and what can be said of the rest. */
export interface FormCheck {
  readonly findings: readonly FormFinding[];
  /** The file with every default; values at fault are left out. Undefined when too little is left to go on. */
  readonly file: ClusterFile | undefined;
  /** Paths whose values were at fault: rules that read them cannot be asked. */
  readonly faulty: readonly Path[];
}

/** Checks each value on its own. Leaves out what is at fault and goes on, so that rules across blocks are asked too. */
export function checkForm(tree: Tree): FormCheck {
  const value = toValue(tree, { keepNull, asText });
  const first = clusterFileSchema.safeParse(value);
  if (first.success) return { findings: [], file: first.data, faulty: [] };
  const findings = first.error.issues.flatMap((issue) => toFindings(issue, tree, knownKeys));
  return { findings, file: readRest(structuredClone(value), findings), faulty: findings.flatMap(faultyPath) };
}

/** What can be read without the values at fault. Each round leaves out or fills in what the round before stumbled over. */
function readRest(rest: unknown, findings: readonly FormFinding[]): ClusterFile | undefined {
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

/** An unknown key hides no value, unless another key was meant by it. */
function faultyPath({ rule, path, nearest }: FormFinding): readonly Path[] {
  if (rule !== 'unknown-key') return [path];
  return nearest === undefined ? [] : [[...path.slice(0, -1), nearest]];
}

/** Keys that the schema knows at `path`. */
function knownKeys(path: Path): readonly string[] {
  const schema = schemaAt(path);
  return schema ? formsOf(schema).flatMap((form) => Object.keys(form.properties ?? {})) : [];
}

/** A known field without a value counts as not written; anywhere else, and for secrets, nothing is a value that matters. */
function keepNull(path: Path): boolean {
  const key = String(path.at(-1));
  return isSecretKey(key) || !knownKeys(path.slice(0, -1)).includes(key);
}

/** Where text is meant, a number stays as it was written: 1.10 is not 1.1, and 007 is not 7. */
function asText(path: Path): boolean {
  return isSecretKey(String(path.at(-1))) || ['labels', 'extraArgs'].includes(String(path.at(-2)));
}

/** Higher indexes first: what is removed from a list must not move what is removed next. */
const byPosition = (
  one: { readonly path: readonly PropertyKey[] },
  other: { readonly path: readonly PropertyKey[] },
): number => {
  const at = one.path.findIndex((key, index) => key !== other.path[index]);
  if (at < 0) return other.path.length - one.path.length;
  const [a, b] = [one.path[at], other.path[at]];
  return typeof a === 'number' && typeof b === 'number' ? b - a : 0;
};
