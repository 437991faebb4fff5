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
