/** Overrides the values of an object, recursively. Lists are replaced as a whole. */
export function deepMerge(base: object, overrides: object): object {
  const result: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(overrides)) {
    const current = result[name];
    result[name] = isObject(current) && isObject(value) ? deepMerge(current, value) : value;
  }
  return result;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
