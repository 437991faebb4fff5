import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { Socket } from 'node:net';
import { type ObjectStore, type StoredObject, type Change } from './object-store.ts';
import type { ApiPki } from './api-pki.ts';

/** A local HTTPS server that behaves like the API server of a master. */
export interface ApiServer extends AsyncDisposable {
  readonly port: number;
  /** "GET /api/v1/nodes", in order. */
  readonly requests: string[];
  /** Called before each request; may respond itself and return true. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  /** Closes all connections, as a master that dies. */
  kill(): Promise<void>;
}

export interface ApiServerOptions {
  readonly pki: ApiPki;
  readonly store: ObjectStore;
  readonly ready?: boolean;
}

/** Servers that share a store are the API servers of one cluster. */
export async function startApiServer({ pki, store, ready = true }: ApiServerOptions): Promise<ApiServer> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const { certificate: cert, key } = pki.server;
  const tls = { cert, key: key.reveal(), ca: pki.ca, requestCert: true, rejectUnauthorized: false };
  const server = createServer(tls, (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (api.intercept?.(request, response)) return;
    const isAdmin = 'authorized' in request.socket && request.socket.authorized === true;
    if (!isAdmin) return respond(response, status(401, 'Unauthorized', 'Unauthorized'));
    if (request.url === '/readyz')
      return void response
        .writeHead(ready ? 200 : 500)
        .end(ready ? 'ok' : '[+]ping ok\n[-]etcd failed: reason withheld');
    void handle(request, response, store);
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address === 'string' || address === null) throw new TypeError('no TCP address');
  const kill = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const api: ApiServer = { port: address.port, requests, intercept: undefined, kill, [Symbol.asyncDispose]: kill };
  return api;
}

async function handle(request: IncomingMessage, response: ServerResponse, store: ObjectStore): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'https://kubernetes');
  const text = (await request.toArray()).join('');
  const body = text === '' ? undefined : JSON.parse(text);
  const [, podPath] = /^(.*\/pods\/[^/]+)\/eviction$/.exec(pathname) ?? [];
  if (request.method === 'POST' && podPath !== undefined) return respond(response, store.evict(podPath, body));
  if (request.method === 'POST') return respond(response, store.create(pathname, body));
  if (request.method === 'PATCH') return respond(response, store.patch(pathname, body));
  if (request.method === 'DELETE') return respond(response, store.delete(pathname, body));
  const object = store.get(pathname);
  if (object) return respond(response, { code: 200, body: object });
  if (!COLLECTION.test(pathname)) return respond(response, notFound(pathname));
  const matches = matcher(pathname, searchParams);
  if (searchParams.get('watch') === 'true') return stream(response, store, matches, searchParams);
  const all = store.all().filter(matches);
  const from = Number(searchParams.get('continue') ?? 0);
  const limit = Number(searchParams.get('limit') ?? all.length);
  const next = from + limit < all.length ? String(from + limit) : undefined;
  const metadata = { resourceVersion: String(store.version()), ...(next !== undefined && { continue: next }) };
  respond(response, { code: 200, body: { metadata, items: all.slice(from, from + limit) } });
}

const COLLECTION =
  /\/(nodes|pods|poddisruptionbudgets|persistentvolumes|persistentvolumeclaims|leases|namespaces|secrets|configmaps)$/;

function stream(
  response: ServerResponse,
  store: ObjectStore,
  matches: (object: StoredObject) => boolean,
  query: URLSearchParams,
): void {
  const version = Number(query.get('resourceVersion'));
  if (version < store.oldest()) return respond(response, status(410, 'Expired', 'too old resource version'));
  response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
  const send = ({ type, object }: Change) => {
    if (matches(object)) response.write(`${JSON.stringify({ type, object })}\n`);
  };
  for (const change of store.since(version)) send(change);
  response.once('close', store.follow(send));
}

function matcher(pathname: string, query: URLSearchParams) {
  const prefix = pathname.replace(/\/(\w+)$/, '');
  const resource = pathname.split('/').at(-1);
  const fields = pairs(query.get('fieldSelector'));
  const labels = pairs(query.get('labelSelector'));
  return ({ path, metadata, spec }: StoredObject) =>
    path.startsWith(prefix) &&
    path.split('/').at(-2) === resource &&
    fields.every(([key, value]) => (key === 'spec.nodeName' ? spec?.nodeName : metadata.name) === value) &&
    labels.every(([key = '', value]) => metadata.labels?.[key] === value);
}

const pairs = (selector: string | null) =>
  (selector ?? '')
    .split(',')
    .filter(Boolean)
    .map((pair) => pair.split('='));

interface Reply {
  readonly code: number;
  readonly body: object;
}

export const status = (code: number, reason: string, message: string, more: object = {}): Reply => ({
  code,
  body: { kind: 'Status', status: 'Failure', code, reason, message, ...more },
});

const notFound = (path: string) => status(404, 'NotFound', `${path.split('/').slice(-2).join(' ')} not found`);

const respond = (response: ServerResponse, { code, body }: Reply): void =>
  void response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
