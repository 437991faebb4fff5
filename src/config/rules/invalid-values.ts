import type { Path } from '../source/tree.ts';

class InvalidValueError extends Error {}

/**
 * Makes invalid values unreadable, so that no check uses the default or placeholder that replaces them. Reading an
 * invalid value throws an error, which `skipInvalid` and `eachValid` catch.
 */
export function guardInvalid<T extends object>(value: T, invalid: readonly Path[]): T {
  if (invalid.length === 0) return value;
  return new Proxy(value, {
    get(target, key) {
      const below = invalid.filter(([first]) => String(first) === key).map((path) => path.slice(1));
      if (below.some((path) => path.length === 0)) throw new InvalidValueError();
      const child: unknown = Reflect.get(target, key);
      return typeof child === 'object' && child !== null ? guardInvalid(child, below) : child;
    },
  });
}

/** Runs a check. Returns no findings if the check reads an invalid value. */
export function skipInvalid<R>(check: () => readonly R[]): readonly R[] {
  try {
    return check();
  } catch (error) {
    if (error instanceof InvalidValueError) return [];
    throw error;
  }
}

/** Works like flatMap, but skips items that are invalid or whose check reads an invalid value. */
export const eachValid = <T, R>(items: readonly T[], check: (item: T, index: number) => readonly R[]): readonly R[] =>
  Array.from({ length: items.length }, (_, index) => skipInvalid(() => check(items[index]!, index))).flat();
