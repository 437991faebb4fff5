import { z } from 'zod';
import { clusterFileSchema } from './cluster.ts';

/** A node of the JSON Schema. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

let made: JsonSchema | undefined;

/** The cluster file as JSON Schema: for editors, for the reference page and for the names of keys. */
export const clusterJsonSchema = (): JsonSchema =>
  (made ??= {
    ...z.toJSONSchema(clusterFileSchema, { target: 'draft-7', io: 'input' }),
    title: 'KubeXM cluster file',
  });

/** The schema of what stands at a path, `[]` for items of a list and `*` for values of a map. */
export function schemaAt(path: readonly (string | number)[]): JsonSchema | undefined {
  return path.reduce<JsonSchema | undefined>((at, key) => at && childOf(at, key), clusterJsonSchema());
}

/** The forms that a value may have: itself, or the alternatives of a union. */
export const formsOf = (schema: JsonSchema): readonly JsonSchema[] => [
  schema,
  ...(schema.anyOf ?? []).filter(isSchema),
];

function childOf(schema: JsonSchema, key: string | number): JsonSchema | undefined {
  return formsOf(schema)
    .map((form) =>
      typeof key === 'number'
        ? Array.isArray(form.items)
          ? form.items[0]
          : form.items
        : (form.properties?.[key] ?? form.additionalProperties),
    )
    .find(isSchema);
}

export const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;
