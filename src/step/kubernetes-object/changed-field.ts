import type { Json } from '../../common/json.ts';
import { fieldOf, keysOf, textOf } from '../../util/json-fields.ts';
import type { Manifest } from './manifest.ts';
import { recordOf } from './patch.ts';

/** The name under which kubexm applies objects. */
export const FIELD_MANAGER = 'kubexm';

/**
 * The first field of an applied object that another client has changed or removed since then; undefined if there is none.
 * Reads the owners of fields that the API server keeps (`metadata.managedFields`) instead of values, which it normalizes.
 */
export function changedField(object: Manifest, managedFields: readonly Json[]): string | undefined {
  const setsOf = (isOurs: boolean): readonly Json[] =>
    managedFields
      .filter((entry) => (textOf(entry, 'manager') === FIELD_MANAGER) === isOurs)
      .filter((entry) => textOf(entry, 'subresource') !== 'status')
      .map((entry) => fieldOf(entry, 'fieldsV1') ?? null);
  const owners = { ours: setsOf(true), others: setsOf(false), isComplete: isBuiltIn(object) };
  return firstChanged(recordedFields(object), owners, '');
}

/** The sets of fields at one place of an object. */
interface Owners {
  readonly ours: readonly Json[];
  readonly others: readonly Json[];
  /** Whether each field has an owner. A custom resource definition may drop fields that the object sets. */
  readonly isComplete: boolean;
}

const isBuiltIn = ({ apiVersion }: Manifest): boolean =>
  /^(v1|(apps|batch|policy|autoscaling|([a-z.]+\.)?k8s\.io)\/.*)$/.test(apiVersion);

/** Without fields that have no owner. The API server converts stringData to data. */
function recordedFields(object: Manifest): unknown {
  const { labels, annotations } = recordOf(object.metadata);
  const hidden = new Set(['apiVersion', 'kind', 'metadata', 'status', 'stringData']);
  const others = Object.entries(object).filter(([name]) => !hidden.has(name));
  return { metadata: { labels, annotations }, ...Object.fromEntries(others) };
}

/** A set without entries stands for the whole value. */
const isWhole = (set: Json) => keysOf(set).length === 0;

function firstChanged(value: unknown, owners: Owners, path: string): string | undefined {
  if (isEmpty(value) || owners.ours.some(isWhole)) return undefined;
  const isChanged = owners.ours.length === 0 && (owners.isComplete || owners.others.length > 0);
  if (typeof value !== 'object' || value === null) return isChanged ? path : undefined;
  const inner = Array.isArray(value)
    ? value.map((each: unknown, index) => [each, elementKey(each, index), path] as const)
    : Object.entries(value).map(
        ([name, each]) => [each, (key: string) => key === `f:${name}`, path === '' ? name : `${path}.${name}`] as const,
      );
  for (const [each, isKey, at] of inner) {
    const changed = firstChanged(each, below(owners, isKey), at);
    if (changed !== undefined) return changed;
  }
  return undefined;
}

/** Applying an empty value changes nothing. */
const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0);

const below = ({ ours, others, isComplete }: Owners, isKey: (key: string) => boolean): Owners => {
  const inside = (sets: readonly Json[]) =>
    sets.flatMap((set) =>
      isWhole(set)
        ? [set]
        : keysOf(set)
            .filter(isKey)
            .map((key) => fieldOf(set, key) ?? null),
    );
  return { ours: inside(ours), others: inside(others), isComplete };
};

/** Elements of a list are identified by some of their fields, by their value or by their position. */
const elementKey = (element: unknown, index: number) => (key: string) => {
  if (key === `i:${index}`) return true;
  if (key.startsWith('v:')) return key.slice(2) === JSON.stringify(element);
  if (!key.startsWith('k:')) return false;
  const identity: Json = JSON.parse(key.slice(2));
  // A field that has its default may be missing in the manifest.
  return keysOf(identity).every((name) => {
    const value = recordOf(element)[name];
    return value === undefined || value === fieldOf(identity, name);
  });
};
