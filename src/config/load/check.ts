import { applyAliases } from '../alias/aliases.ts';
import { convertKubeKey, isKubeKey } from '../alias/kubekey.ts';
import type { AliasFinding } from '../alias/move.ts';
import type { Diagnostic, Severity } from '../diagnostic/diagnostic.ts';
import type { Cluster } from '../model/cluster.ts';
import { runRules, type RuleViolation } from '../rules/run-rules.ts';
import type { ClusterFile } from '../schema/cluster.ts';
import type { SyntaxFinding } from '../source/build-tree.ts';
import { put, scalar, textAt } from '../source/edit.ts';
import { applyOverrides } from '../source/overrides.ts';
import { parse } from '../source/parse.ts';
import { formatPath, locationOf, type Location, type Tree } from '../source/tree.ts';
import { build } from './build.ts';
import { checkSchema } from './check-schema.ts';
import type { SchemaFinding } from './schema-findings.ts';

/** External values that affect the check. */
export interface CheckOptions {
  /** `-e key=value` */
  readonly overrides?: readonly string[];
  /** Environment variables: KMZONE, KUBEXM_HOST_KEYS. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The current date, which determines the releases that are past their end of life. */
  readonly today?: Date;
}

/** The result of checking a cluster file. `file` and `cluster` are undefined if it has errors. */
export interface Checked {
  readonly diagnostics: readonly Diagnostic[];
  /** The cluster file with all defaults and canonical field names. */
  readonly file: ClusterFile | undefined;
  readonly cluster: Cluster | undefined;
}

/** A diagnostic with an unformatted location. */
interface Located extends Omit<Diagnostic, 'place'> {
  readonly location: Location;
}

/** Parses, normalizes and validates a cluster file without I/O. Throws only if an override is invalid. */
export function checkClusterText(text: string, path: string, options: CheckOptions = {}): Checked {
  const { tree, findings } = parse(text);
  const isKubeKeyFile = tree !== undefined && isKubeKey(tree);
  const syntax = findings.map((finding) => fromSyntax(finding, isKubeKeyFile));
  if (tree?.type !== 'map') {
    const noMap: Located[] = tree
      ? [{ severity: 'error', rule: 'yaml', location: tree.location, path: '', message: NO_MAP }]
      : [];
    return { diagnostics: toDiagnostics(path, [...syntax, ...noMap]), file: undefined, cluster: undefined };
  }
  // Aliases in the file are resolved first, so that overrides take precedence under any field name.
  const fileAliases = [...convertKubeKey(tree), ...applyAliases(tree)];
  applyEnvironment(tree, options.env ?? {});
  applyOverrides(tree, options.overrides ?? []);
  const aliases = [...fileAliases, ...applyAliases(tree)];
  const { file, findings: schemaFindings, invalid } = checkSchema(tree);
  const violations = file ? runRules(file.spec, invalid, options.today ?? new Date()) : [];
  const diagnostics = toDiagnostics(path, [
    ...syntax,
    ...aliases.map(fromAlias),
    ...schemaFindings.map((finding) => fromSchema(tree, finding)),
    ...violations.map((violation) => fromRule(tree, violation)),
  ]);
  const valid = diagnostics.every(({ severity }) => severity !== 'error') ? file : undefined;
  return { diagnostics, file: valid, cluster: valid && build(valid) };
}

/** Applies environment variables. KMZONE does not override the cluster file, KUBEXM_HOST_KEYS does. */
function applyEnvironment(tree: Tree, env: NonNullable<CheckOptions['env']>): void {
  const set = (path: readonly string[], variable: string) => {
    const location: Location = { type: 'override', text: variable };
    put(tree, path, { location, tree: scalar(env[variable] ?? '', location) });
  };
  const zone = ['spec', 'artifacts', 'zone'];
  if (env['KMZONE'] && !textAt(tree, zone)) set(zone, 'KMZONE');
  if (env['KUBEXM_HOST_KEYS']) set(['spec', 'hostKeys'], 'KUBEXM_HOST_KEYS');
}

const SECOND_IGNORED = 'starts a second document, which is ignored';
const NO_MAP = 'must be a map with apiVersion, kind, metadata and spec';

/**
 * Converts a syntax problem to a diagnostic. A second document is only a warning in KubeKey files, which often contain
 * one for KubeSphere.
 */
function fromSyntax({ type, location, message }: SyntaxFinding, isKubeKeyFile: boolean): Located {
  if (type === 'second-document' && isKubeKeyFile)
    return { severity: 'warning', rule: type, location, path: '', message: SECOND_IGNORED };
  return { severity: 'error', rule: type === 'syntax' ? 'yaml' : type, location, path: '', message };
}

const fromAlias = ({ type, location, path, message }: AliasFinding): Located => ({
  severity: ALIAS_SEVERITY[type],
  rule: `alias-${type}`,
  location,
  path,
  message,
});

const ALIAS_SEVERITY: Readonly<Record<AliasFinding['type'], Severity>> = {
  note: 'note',
  ignored: 'warning',
  conflict: 'error',
};

const fromSchema = (tree: Tree, { path, atKey, ...finding }: SchemaFinding): Located => ({
  severity: 'error',
  ...finding,
  location: locationOf(tree, path, atKey ? 'key' : 'value'),
  path: formatPath(path),
});

const fromRule = (tree: Tree, violation: RuleViolation): Located => ({
  ...violation,
  location: locationOf(tree, violation.path),
  path: formatPath(violation.path),
});

/** Sorts errors first, then warnings, then notes; each group in file order. */
function toDiagnostics(file: string, found: readonly Located[]): readonly Diagnostic[] {
  return found
    .toSorted((one, other) => RANK[one.severity] - RANK[other.severity] || offset(one) - offset(other))
    .map(({ location, ...each }) => ({
      ...each,
      place: location.type === 'override' ? location.text : `${file}:${location.line}:${location.column}`,
    }));
}

const RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, note: 2 };
const offset = ({ location }: Located) => (location.type === 'file' ? location.line * 10_000 + location.column : 0);
