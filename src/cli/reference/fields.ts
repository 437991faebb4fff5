import { formsOf, isSchema, type JsonSchema } from '../../config/schema/json-schema.ts';

/** A row in the field table. */
export interface FieldRow {
  readonly path: string;
  readonly type: string;
  readonly default: string;
  readonly description: string;
}

/** Returns all fields of the cluster file, in schema order. */
export function fieldRows(schema: JsonSchema, path = ''): readonly FieldRow[] {
  return formsOf(schema).flatMap((form) =>
    Object.entries(form.properties ?? {}).flatMap(([key, child]) =>
      isSchema(child) ? rowsOf(child, path ? `${path}.${key}` : key, form.required?.includes(key) ?? false) : [],
    ),
  );
}

function rowsOf(schema: JsonSchema, path: string, required: boolean): readonly FieldRow[] {
  const row = {
    path,
    type: typeOf(schema),
    default: hasDefault(schema) ? JSON.stringify(schema.default) : required ? '(required)' : '',
    description: schema.description ?? '',
  };
  if (isShorthand(schema)) return [row];
  return [
    row,
    ...fieldRows(schema, path),
    ...below(schema.items, `${path}[]`),
    ...below(schema.additionalProperties, `${path}.*`),
  ];
}

const below = (schema: unknown, path: string) =>
  isSchema(schema) && !Array.isArray(schema) ? fieldRows(schema, path) : [];

/**
 * Returns whether a field is a switch (`true` or `{enabled: true}`) or a secret (text or reference), shown as one
 * field.
 */
const isShorthand = (schema: JsonSchema) =>
  formsOf(schema).some((form) => 'enabled' in (form.properties ?? {}) || 'env' in (form.properties ?? {}));

function typeOf(schema: JsonSchema): string {
  if (schema.enum) return schema.enum.map((value) => (value === '' ? '""' : String(value))).join(' | ');
  if (schema.const !== undefined) return String(schema.const);
  if (schema.anyOf)
    return isShorthand(schema)
      ? 'enabled' in (formsOf(schema).at(-1)?.properties ?? {})
        ? 'boolean'
        : 'secret'
      : [...new Set(schema.anyOf.filter(isSchema).map(typeOf))].join(' or ');
  if (schema.type === 'array')
    return `list of ${isSchema(schema.items) && !Array.isArray(schema.items) ? typeOf(schema.items) : 'values'}`;
  if (schema.type === 'integer') return rangeOf(schema);
  const types = [schema.type ?? 'value'].flat();
  return types.map((type) => (type === 'object' ? 'map' : type)).join(' or ');
}

function rangeOf({ minimum, maximum }: JsonSchema): string {
  if (minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER) return 'integer';
  return maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER
    ? `integer, ${minimum} to ${maximum}`
    : `integer, at least ${minimum}`;
}

/** Returns the default value. Empty maps and lists are not shown. */
const hasDefault = ({ default: value }: JsonSchema) =>
  value !== undefined && !(typeof value === 'object' && value !== null && Object.keys(value).length === 0);
