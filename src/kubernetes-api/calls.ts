import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT } from '../common/errors/exit-codes.ts';
import { fail, KubexmError } from '../common/errors/errors.ts';
import { signalWithTimeout } from '../util/abort-signal.ts';
import type { Masters } from './masters.ts';
import type { ApiBinding, CallOptions } from './options.ts';
import { isOtherObject, reasonOf, refusal, statusOf } from './status.ts';
import type { ApiRequest, ApiResponse, ApiTransport } from './transport.ts';

/** Options of one request. */
export interface RequestOptions extends CallOptions {
  /** Statuses that are a result and not an error. */
  readonly also?: readonly number[];
  /** Whether an object with another uid is a result and not an error. */
  readonly gone?: boolean;
}

/** Sends requests to a master that responds. */
export interface Calls {
  read(doing: string, request: ApiRequest, options?: RequestOptions): Promise<ApiResponse>;
  change(doing: string, request: ApiRequest, options?: RequestOptions): Promise<ApiResponse>;
  /** Uses a transport; if it fails, the next attempt is made through another master. */
  withMaster<T>(
    doing: string,
    use: (transport: ApiTransport, signal: AbortSignal) => Promise<T>,
    options?: CallOptions,
  ): Promise<T>;
  current(options?: CallOptions): Promise<ApiTransport>;
  /** Aborted with the signal of a call or with the one of the client. */
  stopOf(options: CallOptions): AbortSignal;
  /** The master failed: the next call goes to another one. */
  drop(transport: ApiTransport): void;
}

export function createCalls(masters: Masters, { signal: always, beforeChange }: ApiBinding): Calls {
  const stopOf: Calls['stopOf'] = ({ signal }) =>
    AbortSignal.any([always, signal].filter((each) => each !== undefined));
  const withMaster: Calls['withMaster'] = async (doing, use, { timeoutMs = OUTAGE_MS, ...options } = {}) => {
    const stop = stopOf(options);
    const deadline = signalWithTimeout([stop], timeoutMs);
    const reasons = new Map<string, string>();
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
      const found = await masters.current(deadline).catch((error: unknown) => {
        stop.throwIfAborted();
        throw deadline.aborted ? unavailable(doing, reasons, error) : error;
      });
      if (found.type === 'none') for (const [host, reason] of found.reasons) reasons.set(host, reason);
      else {
        try {
          return await use(found.transport, signalWithTimeout([deadline], ATTEMPT_MS));
        } catch (error) {
          stop.throwIfAborted();
          if (!mayDiffer(error)) throw error;
          reasons.set(found.transport.host, reasonOf(error));
          masters.drop(found.transport);
        }
      }
      await sleep(pause, undefined, { signal: deadline }).catch(() => {});
      stop.throwIfAborted();
      if (deadline.aborted) throw unavailable(doing, reasons);
    }
  };
  const request = (doing: string, sent: ApiRequest, options: RequestOptions, before?: ApiBinding['beforeChange']) =>
    withMaster(
      doing,
      async (transport, signal) => {
        await before?.(transport.host);
        return accepted(await transport.send(sent, signal), doing, transport.host, options);
      },
      options,
    );
  return Object.freeze<Calls>({
    read: (doing, sent, options = {}) => request(doing, sent, options),
    change: (doing, sent, options = {}) => request(doing, sent, options, beforeChange),
    withMaster,
    current: (options) => withMaster('reach the API', (transport) => Promise.resolve(transport), options),
    stopOf,
    drop: (transport) => masters.drop(transport),
  });
}

/** Throws a refusal, or for a server that cannot respond now an error after which another master is tried. */
function accepted(
  response: ApiResponse,
  doing: string,
  host: string,
  { also = [], gone }: RequestOptions,
): ApiResponse {
  const { status } = response;
  if (status < 300 || also.includes(status)) return response;
  const { message } = statusOf(response.body);
  if (gone && status === 409 && isOtherObject(message)) return response;
  if (status >= 500 || status === 429) throw new Error(message || `HTTP status ${status}`);
  throw refusal(response, doing, host);
}

/** Whether another master, or the same one later, may respond differently. */
const mayDiffer = (error: unknown) =>
  !(error instanceof KubexmError) || error.exit === EXIT.connection || error.code === 'COMMAND_LOST';

const unavailable = (doing: string, reasons: ReadonlyMap<string, string>, cause?: unknown) => {
  const all = [...reasons].map(([host, reason]) => `${host}: ${reason}`).join('; ');
  return fail('API_UNAVAILABLE', { doing, reasons: all || 'No master could be reached in time.' }, cause);
};

/** Covers the restart of the API server of a cluster with one master. */
const OUTAGE_MS = 60_000;
const ATTEMPT_MS = 30_000;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2000;
