import { fail, KubexmError } from '../common/errors/errors.ts';
import type { Json } from '../common/json.ts';
import { fieldOf, itemsOf, textOf } from '../util/json-fields.ts';
import type { ApiResponse } from './transport.ts';

/** The error for a response that refuses a request; `doing` says what was requested: "delete node worker1". */
export function refusal({ status, body }: ApiResponse, doing: string, host: string): KubexmError {
  const { message, reason } = statusOf(body);
  const params = { doing, host, reason: message || reason || `HTTP status ${status}` };
  if (status === 401 || status === 403) return fail('API_DENIED', params);
  if (status === 404) return fail('API_NOT_FOUND', params);
  if (status === 409) return fail('API_CONFLICT', params);
  return fail('API_REJECTED', params);
}

/** The texts of a Status object. */
export interface StatusTexts {
  readonly message: string;
  readonly reason: string;
  /** The messages of causes with a given reason; of a blocked eviction, the state of the budget. */
  readonly causes: readonly { readonly reason: string; readonly message: string }[];
}

export function statusOf(body: string): StatusTexts {
  const json = parsed(body);
  if (typeof json === 'string') return { message: json.trim().slice(0, 500), reason: '', causes: [] };
  const causes = itemsOf(fieldOf(json, 'details') ?? null, 'causes').map((cause) => ({
    reason: textOf(cause, 'reason'),
    message: textOf(cause, 'message'),
  }));
  return { message: textOf(json, 'message'), reason: textOf(json, 'reason'), causes };
}

/** Health endpoints and proxies respond with plain text. */
function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Why a request failed, in one line. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof KubexmError) return error.report.title;
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'timed out';
  return error instanceof Error ? error.message.split('\n')[0]! : String(error);
};

/** Whether a conflict means that the object with the uid of the request is gone. Only the text of the API server says so. */
export const isOtherObject = (message: string): boolean => /UID in (?:the )?precondition/i.test(message);
