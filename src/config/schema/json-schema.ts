import { z } from 'zod';
import { clusterFileSchema } from './cluster.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

let cached: JsonSchema | undefined;

/** Returns the JSON Schema of the cluster file for editors, the reference page and suggestions. */
export const clusterJsonSchema = (): JsonSchema =>
  (cached ??= {
    ...z.toJSONSchema(clusterFileSchema, { target: 'draft-7', io: 'input' }),
    title: 'KubeXM cluster file',
  });

/** Returns the schema of the value at a path. */
export function schemaAt(path: readonly (string | number)[]): JsonSchema | undefined {
  return path.reduce<JsonSchema | undefined>((at, key) => at && childOf(at, key), clusterJsonSchema());
}

/** Returns a schema and the alternatives of its union. */
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
