import { KubexmError } from '../../common/errors.ts';

/** Why a host or what runs on it could not be asked, in one line. */
export function unreachedReason(error: unknown): string {
  if (error instanceof KubexmError) return error.report.title;
  if (error instanceof DOMException) return 'it does not answer in time';
  return error instanceof Error ? error.message : String(error);
}
