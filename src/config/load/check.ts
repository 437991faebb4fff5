import { applyAliases } from '../alias/aliases.ts';
import { convertKubeKey, isKubeKey } from '../alias/kubekey.ts';
import type { AliasFinding } from '../alias/move.ts';
import { build } from './build.ts';
import { checkForm } from './check-form.ts';
import type { Cluster } from '../model/cluster.ts';
import type { Diagnostic, Severity } from './diagnostic.ts';
import type { FormFinding } from './issues.ts';
import { askRules } from '../rules/ask.ts';
import type { ClusterFile } from '../schema/cluster.ts';
import { put, scalar, textAt } from '../source/edit.ts';
import { applyOverrides } from '../source/overrides.ts';
import { parse } from '../source/parse.ts';
import { formatPath, placeOf, type Place, type Tree } from '../source/tree.ts';

/** How a cluster file is to be read. */
export interface CheckOptions {
  /** `-e key=value` */
  readonly overrides?: readonly string[];
  /** Variables of the environment: KMZONE. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Decides which releases are past their end of life. */
  readonly today?: Date;
}

/** All that can be said about a cluster file, and what it means, unless it has errors. */
export interface Checked {
  readonly diagnostics: readonly Diagnostic[];
  /** With every default and alias resolved. */
  readonly file: ClusterFile | undefined;
  readonly cluster: Cluster | undefined;
}

/** A diagnostic before it is known in which file. */
interface Found extends Omit<Diagnostic, 'place'> {
  readonly place: Place;
}

/** Parse, normalise, validate: pure. Bad input gives diagnostics; only a bad override throws. */
export function checkClusterText(text: string, path: string, options: CheckOptions = {}): Checked {
  const { tree, findings } = parse(text);
  const syntax = findings.map(({ type, place, message }): Found => ({
    severity: 'error',
    rule: type === 'syntax' ? 'yaml' : type,
    place,
    path: '',
    message,
  }));
  if (tree?.type !== 'map') {
    const noMap: Found[] = tree
      ? [{ severity: 'error', rule: 'yaml', place: tree.place, path: '', message: NO_MAP }]
      : [];
    return { diagnostics: inFile(path, [...syntax, ...noMap]), file: undefined, cluster: undefined };
  }
  const kubeKey = isKubeKey(tree);
  // The file first: what the command line then says counts, under whatever name.
  const fromFile = [...convertKubeKey(tree), ...applyAliases(tree)];
  applyEnvironment(tree, options.env ?? {});
  applyOverrides(tree, options.overrides ?? []);
  const aliases = [...fromFile, ...applyAliases(tree)].map(fromAlias);
  const form = checkForm(tree);
  const across = form.file ? askRules(form.file.spec, form.faulty, options.today ?? new Date()) : [];
  const diagnostics = inFile(path, [
    ...syntax.map((found) =>
      kubeKey && found.rule === 'second-document'
        ? { ...found, severity: 'warning' as const, message: SECOND_IGNORED }
        : found,
    ),
    ...aliases,
    ...form.findings.map((finding) => fromForm(tree, finding)),
    ...across.map((finding): Found => ({
      ...finding,
      place: placeOf(tree, finding.path),
      path: formatPath(finding.path),
    })),
  ]);
  const valid = diagnostics.every(({ severity }) => severity !== 'error') ? form.file : undefined;
  return { diagnostics, file: valid, cluster: valid && build(valid) };
}

/** KMZONE counts unless the file says something else. */
function applyEnvironment(tree: Tree, { KMZONE: zone }: NonNullable<CheckOptions['env']>): void {
  const path = ['spec', 'artifacts', 'zone'];
  if (!zone || textAt(tree, path)) return;
  const place: Place = { type: 'override', text: 'KMZONE' };
  put(tree, path, { place, tree: scalar(zone, place) });
}

const SECOND_IGNORED = 'begins a second document, which is not read';
const NO_MAP = 'must be a map with apiVersion, kind, metadata and spec';

const fromAlias = ({ type, place, path, message }: AliasFinding): Found => ({
  severity: ALIAS_SEVERITY[type],
  rule: `alias-${type}`,
  place,
  path,
  message,
});

const ALIAS_SEVERITY: Readonly<Record<AliasFinding['type'], Severity>> = {
  note: 'note',
  ignored: 'warning',
  conflict: 'error',
};

function fromForm(tree: Tree, { path, atKey, ...finding }: FormFinding): Found {
  return { severity: 'error', ...finding, place: placeOf(tree, path, atKey ? 'key' : 'value'), path: formatPath(path) };
}

/** In the order of the file, errors before warnings before notes. */
function inFile(file: string, found: readonly Found[]): readonly Diagnostic[] {
  return found
    .toSorted((one, other) => RANK[one.severity] - RANK[other.severity] || orderOf(one.place) - orderOf(other.place))
    .map((each) => ({
      ...each,
      place: each.place.type === 'override' ? each.place.text : `${file}:${each.place.line}:${each.place.column}`,
    }));
}

const RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, note: 2 };
const orderOf = (place: Place) => (place.type === 'file' ? place.line * 10_000 + place.column : 0);
