import { connect, type TLSSocket } from 'node:tls';
import { Pool } from 'undici';
import type { Connector } from '../connector/connector.ts';
import type { ApiCredentials, ApiRequest, ApiTransport } from './transport.ts';

/** Where the API server of a master listens, and how to log in to it. */
export interface TunnelOptions {
  readonly connector: Connector;
  readonly port: number;
  readonly credentials: ApiCredentials;
}

/** HTTPS to the API server of a master through its SSH connection. The certificate of the server is verified. */
export function tunnelTransport({ connector, port, credentials }: TunnelOptions): ApiTransport {
  const pool = new Pool(`https://${SERVER_NAME}`, {
    connections: MAX_CONNECTIONS,
    headersTimeout: RESPONSE_TIMEOUT_MS,
    bodyTimeout: IDLE_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connect: async (_, done) => {
      const socket = await openTls(connector, port, credentials).catch(asError);
      if (socket instanceof Error) done(socket, null);
      else done(null, socket);
    },
  });
  const request = ({ method, path, body, contentType = 'application/json' }: ApiRequest, signal: AbortSignal) =>
    pool.request({
      method,
      path,
      signal,
      headers: {
        accept: 'application/json',
        'user-agent': 'kubexm',
        ...(body !== undefined && { 'content-type': contentType }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return Object.freeze<ApiTransport>({
    host: connector.host,
    via: 'tunnel',
    async send(sent, signal) {
      const { statusCode: status, headers, body } = await request(sent, signal);
      const seconds = Number(headers['retry-after']);
      return { status, body: await body.text(), ...(seconds > 0 && { retryAfterMs: seconds * 1000 }) };
    },
    async stream(path, signal) {
      const { statusCode: status, body } = await request({ method: 'GET', path }, signal);
      return { status, lines: linesOf(body) };
    },
    [Symbol.asyncDispose]: () => pool.destroy(),
  });
}

async function openTls(connector: Connector, port: number, { ca, certificate, key }: ApiCredentials) {
  const socket = await connector.tunnel(port, AbortSignal.timeout(TUNNEL_TIMEOUT_MS));
  return new Promise<TLSSocket>((resolve, reject) => {
    const tls = connect({
      socket,
      ca,
      cert: certificate,
      key: key.reveal(),
      servername: SERVER_NAME,
      minVersion: 'TLSv1.2',
      // Set, because NODE_TLS_REJECT_UNAUTHORIZED=0 changes the default.
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
    });
    const timer = setTimeout(() => tls.destroy(new Error('the TLS handshake timed out')), HANDSHAKE_TIMEOUT_MS);
    // Stays: an error between the handshake and the first request must not be unhandled.
    tls.on('error', reject);
    tls.once('close', () => {
      clearTimeout(timer);
      reject(new Error('the API server closed the connection during the TLS handshake'));
    });
    tls.once('secureConnect', () => {
      clearTimeout(timer);
      resolve(tls);
    });
  });
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

/** In the certificate of every API server, whatever address is used to reach it. */
const SERVER_NAME = 'kubernetes';
const MAX_CONNECTIONS = 16;
/** A login through jump hosts can take long. */
const TUNNEL_TIMEOUT_MS = 30_000;
const HANDSHAKE_TIMEOUT_MS = 10_000;
const RESPONSE_TIMEOUT_MS = 20_000;
/** The API server sends a bookmark to each watch about once a minute. */
const IDLE_TIMEOUT_MS = 90_000;
const KEEP_ALIVE_MS = 60_000;

async function* linesOf(body: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield line;
  }
}
