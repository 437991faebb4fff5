/** Names a value that one step provides and another needs. */
export interface CacheKey<T> {
  readonly name: string;
  /** Only there to carry the type. */
  readonly type?: T;
}

export const cacheKey = <T>(name: string): CacheKey<T> => Object.freeze({ name });

/** Values that steps of one run hand to each other. */
export interface Cache {
  get<T>(key: CacheKey<T>): T | undefined;
  set<T>(key: CacheKey<T>, value: T): void;
}

/** In memory only: what steps hand to each other may be secret. */
export function createCache(): Cache {
  // Untyped: what is stored under a key came in by `set` with a key of the same type.
  const values = new Map();
  return Object.freeze({
    get: <T>(key: CacheKey<T>): T | undefined => values.get(key.name),
    set: <T>(key: CacheKey<T>, value: T) => void values.set(key.name, value),
  });
}
