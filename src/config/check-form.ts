import { formsOf, schemaAt } from './json-schema.ts';
import { toFindings, type FormFinding } from './issues.ts';
import { API_VERSION, clusterFileSchema, type ClusterFile } from './schema/cluster.ts';
import { toValue, type Path, type Tree } from './source/tree.ts';

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
  const value = toValue(tree, isPassedOn);
  const first = clusterFileSchema.safeParse(value);
  if (first.success) return { findings: [], file: first.data, faulty: [] };
  const findings = first.error.issues.flatMap((issue) => toFindings(issue, tree, knownKeys));
  const faulty = findings.map(({ path }) => path);
  const rest = structuredClone(value);
  // Higher indexes first: removing from a list must not move what is removed next.
  for (const path of faulty.toSorted(byPosition)) leaveOut(rest, path);
  for (const { rule, path } of findings) if (rule === 'missing') fillIn(rest, path);
  const second = clusterFileSchema.safeParse(rest);
  return { findings, file: second.success ? second.data : undefined, faulty };
}

/** Keys that the schema knows at `path`. */
function knownKeys(path: Path): readonly string[] {
  const schema = schemaAt(path);
  return schema ? formsOf(schema).flatMap((form) => Object.keys(form.properties ?? {})) : [];
}

/** Below these paths the file is handed on as it is, so even `null` means something. */
function isPassedOn(path: Path): boolean {
  const dotted = path.join('.');
  return /^spec\.kubernetes\.kube(let|Proxy)Configuration\.|^spec\.addons\.\d+\.values\.|^spec\.network\.(cilium|kubeOvn)\.values\./.test(
    dotted,
  );
}

function leaveOut(root: unknown, path: Path): void {
  const parent = path.slice(0, -1).reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), root);
  const key = path.at(-1);
  if (Array.isArray(parent) && typeof key === 'number') parent.splice(key, 1);
  else if (isObject(parent) && key !== undefined) delete parent[key];
}

/** Something of the right form where a field is missing, so that the others can be asked; no rule reads it. */
function fillIn(root: unknown, path: Path): void {
  const parent = path.slice(0, -1).reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), root);
  const key = path.at(-1);
  if (isObject(parent) && typeof key === 'string') parent[key] = PLACEHOLDERS[key] ?? 'placeholder';
}

const PLACEHOLDERS: Readonly<Record<string, unknown>> = {
  apiVersion: API_VERSION,
  kind: 'Cluster',
  metadata: { name: 'placeholder' },
  roleGroups: {},
  address: '198.51.100.1',
  path: '/placeholder',
  effect: 'NoSchedule',
  zones: ['placeholder.local'],
  nameservers: ['198.51.100.1'],
  endpoints: ['https://198.51.100.1:2379'],
};

const isObject = (value: unknown): value is Record<string | number, unknown> =>
  typeof value === 'object' && value !== null;

const byPosition = (one: Path, other: Path): number => {
  const at = one.findIndex((key, index) => key !== other[index]);
  if (at < 0) return other.length - one.length;
  const [a, b] = [one[at], other[at]];
  return typeof a === 'number' && typeof b === 'number' ? b - a : 0;
};
