/** The title, message and hint of an error. */
export interface Report {
  readonly title: string;
  /** What failed and why, in full sentences. */
  readonly message: string;
  /** What to do next; a command if possible. */
  readonly hint: string;
}

/** A kind of error, with its exit code and texts. */
export interface CatalogEntry<P> {
  readonly exit: number;
  /** Example parameters for the reference page. */
  readonly example: P;
  readonly report: (params: P) => Report;
  /** Returns the report for the example parameters. */
  readonly sample: () => Report;
}

export const entry = <P>(exit: number, example: P, report: (params: P) => Report): CatalogEntry<P> =>
  Object.freeze({ exit, example, report, sample: () => report(example) });
