import type { Json } from '../common/json.ts';
import type { Secret } from '../common/secret.ts';

/** One request to an API server. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With its query. */
  readonly path: string;
  readonly body?: Json;
  /** "application/json" by default. */
  readonly contentType?: string;
}

/** The response of an API server, whatever its status. */
export interface ApiResponse {
  readonly status: number;
  readonly body: string;
  readonly retryAfterMs?: number;
}

/** A way to the API server of one master. Calls throw if no response arrived; then another master may respond. */
export interface ApiTransport extends AsyncDisposable {
  /** The master. */
  readonly host: string;
  readonly via: 'tunnel' | 'kubectl';
  send(request: ApiRequest, signal: AbortSignal): Promise<ApiResponse>;
  /** The lines of a response that does not end; undefined if the transport can only list. */
  readonly stream: ((path: string, signal: AbortSignal) => Promise<ApiStream>) | undefined;
}

/** A response that arrives line by line. */
export interface ApiStream {
  readonly status: number;
  readonly lines: AsyncIterable<string>;
}

/** The credentials of an administrator and the CA of the cluster, in PEM. */
export interface ApiCredentials {
  readonly ca: string;
  readonly certificate: string;
  readonly key: Secret;
}
