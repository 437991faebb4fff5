/** A value that can be written as JSON and read again. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Sorts object keys, so that equal values produce the same JSON; a replacer for JSON.stringify. */
export const sortKeys = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
