import type { z } from 'zod';
import { nearest } from '../diagnostic/nearest.ts';
import { quoted } from '../diagnostic/quote.ts';
import { isSecretKey } from '../model/secrets.ts';
import { isNull, treeAt, type Path, type Tree } from '../source/tree.ts';

/** A value that violates the schema. */
export interface SchemaFinding {
  readonly rule: 'unknown-key' | 'missing' | 'wrong-type' | 'not-allowed' | 'wrong-form';
  readonly path: Path;
  /** True if the key is wrong, not its value. */
  readonly atKey: boolean;
  readonly message: string;
  readonly got?: string;
  readonly allowed?: readonly string[];
  readonly nearest?: string;
}

type Issue = z.core.$ZodIssue;

/** Converts a zod issue to findings with kubexm messages and the value from the file. */
export function toFindings(
  issue: Issue,
  tree: Tree,
  keysAt: (path: Path) => readonly string[],
): readonly SchemaFinding[] {
  const path = issue.path.filter((key) => typeof key !== 'symbol');
  const found = treeAt(tree, path);
  const got = found && describe(found, path);
  const value = { path, atKey: false, ...(got !== undefined && { got }) };
  if (found === undefined && issue.code !== 'unrecognized_keys') {
    return [{ rule: 'missing', path, atKey: true, message: 'is missing' }];
  }
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey([...path, key], keysAt(path)));
    case 'invalid_value':
      return [notAllowed(value, issue.values.map(String))];
    case 'invalid_type':
      return [{ rule: 'wrong-type', ...value, message: typeMessage(issue.expected, found) }];
    case 'too_small':
    case 'too_big':
      return [{ rule: 'wrong-form', ...value, message: sizeMessage(issue) }];
    case 'invalid_key':
      return [
        {
          rule: 'wrong-form',
          path,
          atKey: true,
          message: issue.issues[0]?.message ?? issue.message,
          got: quoted(String(path.at(-1))),
        },
      ];
    case 'invalid_union':
      return unionFindings(issue, tree, keysAt, { rule: 'wrong-form', ...value, message: issue.message });
    case 'custom':
      return [{ rule: 'wrong-form', ...value, message: issue.message, ...suggestion(issue, found) }];
    case 'invalid_format':
    case 'invalid_element':
    case 'not_multiple_of':
      return [{ rule: 'wrong-form', ...value, message: issue.message }];
  }
}

/** Suggests the most similar value that the schema lists for a field, such as a time zone. */
function suggestion({ params }: z.core.$ZodIssueCustom, found: Tree | undefined): { readonly nearest?: string } {
  const known: unknown = params?.['known'];
  const names: unknown = typeof known === 'function' ? known() : undefined;
  const near = found?.type === 'scalar' && Array.isArray(names) ? nearest(String(found.value), names) : undefined;
  return near === undefined ? {} : { nearest: near };
}

/**
 * Converts a union issue to findings. If only one alternative matches the type of the value, reports its more specific
 * issues.
 */
function unionFindings(
  issue: z.core.$ZodIssueInvalidUnion,
  tree: Tree,
  keysAt: (path: Path) => readonly string[],
  whole: SchemaFinding,
): readonly SchemaFinding[] {
  const inside = issue.errors.filter((errors) => errors.length > 0 && errors.every((error) => error.path.length > 0));
  const [only] = inside;
  if (inside.length !== 1 || only === undefined) return [whole];
  return only.flatMap((error) => toFindings({ ...error, path: [...issue.path, ...error.path] }, tree, keysAt));
}

function unknownKey(path: Path, known: readonly string[]): SchemaFinding {
  const near = nearest(String(path.at(-1)), known);
  return {
    rule: 'unknown-key',
    path,
    atKey: true,
    message: 'is not a known key',
    allowed: known,
    ...(near !== undefined && { nearest: near }),
  };
}

function notAllowed(value: Pick<SchemaFinding, 'path' | 'atKey' | 'got'>, values: readonly string[]): SchemaFinding {
  const written = value.got?.replaceAll('"', '') ?? '';
  const choices = written.split(/[|,/]/).map((part) => part.trim());
  const allowed = values.map((each) => each || '""');
  const listed = choices.length > 1 && choices.every((part) => values.includes(part));
  const near = listed ? undefined : nearest(written, values.filter(Boolean));
  const message = listed ? 'lists several choices; keep one of them' : 'is not allowed';
  return { rule: 'not-allowed', ...value, message, allowed, ...(near !== undefined && { nearest: near }) };
}

function typeMessage(expected: string, found: Tree | undefined): string {
  const wanted = TYPE_WORDS[expected] ?? expected;
  const unquoted =
    expected === 'string' && found?.type === 'scalar' && !isNull(found) ? `; put it in quotes: "${found.source}"` : '';
  const single = expected === 'array' && found?.type === 'scalar' && !isNull(found) ? `; write [${found.source}]` : '';
  return `must be ${wanted}${unquoted}${single}`;
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  record: 'a map',
};

function sizeMessage(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): string {
  if (issue.origin !== 'number' && issue.origin !== 'int') return issue.message;
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}`;
  return `must be at least ${issue.minimum}`;
}

/** Describes a value from the file on one line, without secrets. */
function describe(tree: Tree, path: Path): string {
  if (path.some((key) => isSecretKey(String(key)))) return 'a hidden value';
  switch (tree.type) {
    case 'scalar':
      return tree.value === null ? 'nothing' : typeof tree.value === 'string' ? quoted(tree.value) : tree.source;
    case 'list':
      return `a list of ${tree.items.length}`;
    case 'map':
      return `a map with ${tree.entries.size === 0 ? 'no keys' : quoted([...tree.entries.keys()].join(', '))}`;
  }
}
