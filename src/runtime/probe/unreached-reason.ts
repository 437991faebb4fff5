import { KubexmError } from '../../common/errors/errors.ts';

/** Why a host could not be asked, in one line; undefined when that is a defect of ours. */
export function unreachedReason(error: unknown): string | undefined {
  if (error instanceof KubexmError) return error.report.title;
  return error instanceof DOMException ? 'it does not answer in time' : undefined;
}
