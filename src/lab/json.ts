import type { Json } from '../common/json.ts';

export function parseJson(text: string): Json {
  const value: Json = JSON.parse(text || 'null');
  return value;
}

/** The value at a path of keys, or null. */
export function at(value: Json, ...keys: readonly (string | number)[]): Json {
  return keys.reduce((inner: Json, key) => (isObject(inner) ? (inner[key] ?? null) : null), value);
}

export const items = (value: Json): readonly Json[] => (Array.isArray(value) ? value : []);
export const text = (value: Json): string => (typeof value === 'string' ? value : '');
export const count = (value: Json): number => (typeof value === 'number' ? value : 0);

const isObject = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null;
