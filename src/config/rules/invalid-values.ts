import type { Path } from '../source/tree.ts';

class InvalidValueError extends Error {}

/**
 * Makes invalid values unreadable, so that a check cannot draw conclusions from the default or placeholder in their
 * place. Reading one throws; `skipInvalid` and `eachValid` catch that.
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

/** Runs a check; a check that reads an invalid value has no result. */
export function skipInvalid<R>(check: () => readonly R[]): readonly R[] {
  try {
    return check();
  } catch (error) {
    if (error instanceof InvalidValueError) return [];
    throw error;
  }
}

/** Like flatMap, but leaves out items that are invalid or whose check reads an invalid value. */
export const eachValid = <T, R>(items: readonly T[], check: (item: T, index: number) => readonly R[]): readonly R[] =>
  Array.from({ length: items.length }, (_, index) => skipInvalid(() => check(items[index]!, index))).flat();
