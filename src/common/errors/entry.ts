import type { Report } from './errors.ts';

/** One kind of error: how it is told, and with which exit code kubexm ends. */
export interface CatalogEntry<P> {
  readonly exit: number;
  /** Parameters as they may look, for the reference page. */
  readonly example: P;
  readonly report: (params: P) => Report;
  /** Told with the example. */
  readonly sample: () => Report;
}

export const entry = <P>(exit: number, example: P, report: (params: P) => Report): CatalogEntry<P> =>
  Object.freeze({ exit, example, report, sample: () => report(example) });
