import type { Json } from '../common/json.ts';

/** A field of a parsed JSON value; undefined if it does not exist. */
export const fieldOf = (json: Json, name: string): Json | undefined => {
  if (typeof json !== 'object' || json === null || isList(json)) return undefined;
  return Object.hasOwn(json, name) ? json[name] : undefined;
};

export const keysOf = (json: Json): readonly string[] =>
  typeof json !== 'object' || json === null || isList(json) ? [] : Object.keys(json);

export const flagOf = (json: Json, name: string): boolean => fieldOf(json, name) === true;

export const textOf = (json: Json, name: string): string => {
  const value = fieldOf(json, name);
  return typeof value === 'string' ? value : '';
};

export const numberOf = (json: Json, name: string): number => {
  const value = fieldOf(json, name);
  return typeof value === 'number' ? value : 0;
};

export const textsOf = (json: Json, name: string): readonly string[] => {
  const value = fieldOf(json, name) ?? null;
  return isList(value) ? value.filter((one) => typeof one === 'string') : [];
};

export const itemsOf = (json: Json, name: string): readonly Json[] => {
  const value = fieldOf(json, name) ?? null;
  return isList(value) ? value : [];
};

const isList = (json: Json): json is readonly Json[] => Array.isArray(json);
