import { catalog, type ErrorCode, type ErrorParams } from './catalog.ts';
import { EXIT } from './exit-codes.ts';

/** What the user reads about an error: what happened and why, what to do, and the exit code that says the kind. */
export interface Report {
  readonly title: string;
  /** What happened and why, in full sentences. */
  readonly message: string;
  /** What to do about it: a command to paste, when there is one. */
  readonly hint: string;
}

/** The only error class of the project: its code says what it is. */
export class KubexmError extends Error {
  override readonly name = 'KubexmError';
  readonly code: ErrorCode;
  readonly report: Report;
  readonly exit: number;

  constructor(code: ErrorCode, report: Report, exit: number, cause?: unknown) {
    super(report.message, { cause });
    this.code = code;
    this.report = report;
    this.exit = exit;
  }
}

/** The exit code that an error stands for; one that is not of the catalog is a defect. */
export const exitOf = (error: unknown): number => (error instanceof KubexmError ? error.exit : EXIT.internal);

/** Makes an error from the catalog: `throw fail('FILE_NOT_FOUND', { path }, cause)`. */
export function fail<C extends ErrorCode>(code: C, params: ErrorParams[C], cause?: unknown): KubexmError {
  const { report, exit } = catalog[code];
  return new KubexmError(code, report(params), exit, cause);
}
