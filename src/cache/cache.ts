/** Identifies a value that one step provides and another needs. */
export interface CacheKey<T> {
  readonly name: string;
  /** Never set; carries the type of the value. */
  readonly type?: T;
}

export const cacheKey = <T>(name: string): CacheKey<T> => Object.freeze({ name });

/** Values that the steps of a run pass to each other. */
export interface Cache {
  get<T>(key: CacheKey<T>): T | undefined;
  set<T>(key: CacheKey<T>, value: T): void;
}

/** Keeps values in memory only, because they may be secret. */
export function createCache(): Cache {
  // Untyped map: `set` and `get` with the same key agree on the type.
  const values = new Map();
  return Object.freeze({
    get: <T>(key: CacheKey<T>): T | undefined => values.get(key.name),
    set: <T>(key: CacheKey<T>, value: T) => void values.set(key.name, value),
  });
}
