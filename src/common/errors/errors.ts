import { catalog, type ErrorCode, type ErrorParams } from './catalog.ts';
import type { Report } from './entry.ts';
import { EXIT } from './exit-codes.ts';

/** The only error class in kubexm; `code` identifies the kind of error. */
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

/** Returns the exit code for an error. An error that is not in the catalog is a bug in kubexm. */
export const exitOf = (error: unknown): number => (error instanceof KubexmError ? error.exit : EXIT.internal);

/** Creates an error from the catalog: `throw fail('FILE_NOT_FOUND', { path }, cause)`. */
export function fail<C extends ErrorCode>(code: C, params: ErrorParams[C], cause?: unknown): KubexmError {
  const { report, exit } = catalog[code];
  return new KubexmError(code, report(params), exit, cause);
}
