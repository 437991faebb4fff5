import { formsOf, isSchema, type JsonSchema } from '../../config/schema/json-schema.ts';

/** One line of the table of fields. */
export interface FieldRow {
  readonly path: string;
  readonly form: string;
  readonly initial: string;
  readonly about: string;
}

/** Every field of the cluster file, in the order of the schema. */
export function fieldRows(schema: JsonSchema, path = ''): readonly FieldRow[] {
  return formsOf(schema).flatMap((form) =>
    Object.entries(form.properties ?? {}).flatMap(([key, child]) =>
      isSchema(child) ? rowsOf(child, path ? `${path}.${key}` : key, form.required?.includes(key) ?? false) : [],
    ),
  );
}

function rowsOf(schema: JsonSchema, path: string, required: boolean): readonly FieldRow[] {
  const initial =
    schema.default === undefined || isEmpty(schema.default)
      ? required
        ? '(required)'
        : ''
      : JSON.stringify(schema.default);
  const row = { path, form: formOf(schema), initial, about: schema.description ?? '' };
  if (isReference(schema)) return [row];
  return [
    row,
    ...fieldRows(schema, path),
    ...below(schema.items, `${path}[]`),
    ...below(schema.additionalProperties, `${path}.*`),
  ];
}

const below = (schema: unknown, path: string) =>
  isSchema(schema) && !Array.isArray(schema) ? fieldRows(schema, path) : [];

/** `true` or `{enabled: true}`, a secret or a reference: shown as one field. */
const isReference = (schema: JsonSchema) =>
  formsOf(schema).some((form) => 'enabled' in (form.properties ?? {}) || 'env' in (form.properties ?? {}));

function formOf(schema: JsonSchema): string {
  if (schema.enum)
    return schema.enum
      .map((value) => (value === '' ? '""' : String(value)))
      .join(' \\| ')
      .replaceAll('\\|', '|');
  if (schema.const !== undefined) return String(schema.const);
  if (schema.anyOf)
    return isReference(schema)
      ? 'enabled' in (formsOf(schema).at(-1)?.properties ?? {})
        ? 'true, false'
        : 'secret'
      : [...new Set(schema.anyOf.filter(isSchema).map(formOf))].join(' or ');
  if (schema.type === 'array')
    return `list of ${isSchema(schema.items) && !Array.isArray(schema.items) ? formOf(schema.items) : 'values'}`;
  if (schema.type === 'integer') return rangeOf(schema);
  if (Array.isArray(schema.type)) return schema.type.map((type) => WORDS[type] ?? type).join(' or ');
  return WORDS[String(schema.type)] ?? 'value';
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  object: 'map',
  boolean: 'true, false',
  number: 'number',
};

function rangeOf({ minimum, maximum }: JsonSchema): string {
  const top = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? ` to ${maximum}` : '';
  return minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER
    ? 'whole number'
    : `whole number, from ${minimum}${top}`;
}

const isEmpty = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0;
