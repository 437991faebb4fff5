import { request as requestHttp } from 'node:http';
import { request as requestHttps, type RequestOptions } from 'node:https';
import type { LoadRequest } from './load-account.ts';

/** A response of a server that a load client uses. */
export interface LoadResponse {
  readonly status: number;
  readonly body: string;
}

/** Where and how a client connects: a Unix socket that a tunnel forwards, and TLS credentials if the server needs them. */
export interface LoadServer {
  readonly socket: string;
  readonly tls?: { readonly ca: Buffer; readonly cert: Buffer; readonly key: Buffer };
}

/** A request to send. */
export interface LoadMessage {
  readonly method?: string;
  readonly path: string;
  readonly body?: object;
  readonly timeoutMs: number;
}

/** Sends a request over a new connection, so that each one takes its own way through a load balancer. */
export function send(
  { socket, tls }: LoadServer,
  { method = 'GET', path, body, timeoutMs }: LoadMessage,
): Promise<LoadResponse> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const options: RequestOptions = {
    socketPath: socket,
    agent: false,
    method,
    path,
    headers: { host: SERVER_NAME, ...(text !== undefined && { 'content-type': 'application/json' }) },
    signal: AbortSignal.timeout(timeoutMs),
    ...(tls && { ...tls, servername: SERVER_NAME }),
  };
  return new Promise((resolve, reject) => {
    const request = (tls ? requestHttps : requestHttp)(options, (response) => {
      let received = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
      response.once('error', reject);
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body: received }));
    });
    request.once('error', reject);
    request.end(text);
  });
}

/** The certificates of all API servers contain it. */
const SERVER_NAME = 'kubernetes.default.svc';

/** Starts an action on a schedule until it is stopped. A hanging one does not delay those after it. */
export function repeat(everyMs: number, act: (number: number) => Promise<void>): () => Promise<void> {
  const running = new Set<Promise<void>>();
  let number = 0;
  const start = () => {
    number += 1;
    const one = act(number).finally(() => running.delete(one));
    running.add(one);
  };
  const timer = setInterval(start, everyMs);
  return async () => {
    clearInterval(timer);
    await Promise.all(running);
  };
}

/** Sends a request and records it. Resolves with undefined unless the response has the expected status. */
export async function recorded(
  records: LoadRequest[],
  expected: number,
  sent: Promise<LoadResponse>,
): Promise<LoadResponse | undefined> {
  try {
    const response = await sent;
    const isExpected = response.status === expected;
    records.push({ endedAt: performance.now(), ...(!isExpected && { error: `status ${response.status}` }) });
    return isExpected ? response : undefined;
  } catch (error) {
    records.push({ endedAt: performance.now(), error: reasonOf(error) });
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return code === 'ABORT_ERR' ? 'timeout' : code || error.message;
}
