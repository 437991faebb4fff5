import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { fail } from '../../common/errors/errors.ts';
import { mirrorPaths } from './paths.ts';
import { updateChecksums } from './records.ts';
import { CONTROL, handleControl } from './serve/control.ts';
import { createFaultInjector, type FaultInjector } from './serve/faults.ts';
import { findFile } from './serve/files.ts';
import { findInRegistry } from './serve/registry.ts';
import { sendFile, sendJson, type MirrorResponse } from './serve/send.ts';

/** A running mirror server. */
export interface MirrorServer extends AsyncDisposable {
  /** The URL for `artifacts.mirror`, with a trailing slash. */
  readonly url: string;
  /** One URL for each listen address. */
  readonly urls: readonly string[];
  readonly faults: FaultInjector;
  /** The most recent requests, oldest first. */
  requests(): readonly MirrorRequest[];
  close(): Promise<void>;
}

/** A request to the mirror and the status it returned. */
export interface MirrorRequest {
  readonly method: string;
  readonly path: string;
  readonly range: string;
  readonly status: number;
}

export interface ServeOptions {
  readonly folder: string;
  /** Listen addresses; the first one becomes `url`. Port 0 picks a free port. */
  readonly listen?: readonly Address[];
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Serves the files of a mirror by upstream host and path, and its images as a registry. */
export async function serveMirror({ folder, listen = [LOOPBACK] }: ServeOptions): Promise<MirrorServer> {
  const paths = mirrorPaths(folder);
  await updateChecksums(paths);
  const faults = createFaultInjector();
  const requests: MirrorRequest[] = [];
  const onRequest = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://mirror');
    const { method = 'GET', headers } = request;
    if (url.pathname.startsWith(CONTROL)) return handleControl(request, response, url, faults);
    response.once('close', () => {
      requests.push({ method, path: url.pathname, range: headers.range ?? '', status: response.statusCode });
      if (requests.length > MAX_REQUESTS) requests.shift();
    });
    if (method !== 'GET' && method !== 'HEAD') return sendJson(response, 405, READ_ONLY);
    const content = url.pathname.startsWith('/v2') ? await findInRegistry(paths, url) : await findFile(paths, url);
    return send(content, request, response, faults);
  };
  const servers = await openAll(listen, (request, response) => {
    onRequest(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });
  const urls = servers.map(urlOf);
  const close = async () => void (await Promise.all(servers.map(closeServer)));
  return Object.freeze({
    url: urls[0] ?? '',
    urls,
    faults,
    requests: () => [...requests],
    close,
    [Symbol.asyncDispose]: close,
  });
}

const LOOPBACK: Address = { host: '127.0.0.1', port: 0 };
const MAX_REQUESTS = 10_000;
const READ_ONLY = { errors: [{ code: 'UNSUPPORTED', message: 'this mirror is read-only' }] };

function send(
  content: MirrorResponse,
  request: IncomingMessage,
  response: ServerResponse,
  faults: FaultInjector,
): Promise<void> | void {
  switch (content.type) {
    case 'json':
      return sendJson(response, content.status, content.body);
    case 'file':
      return sendFile(content, request, response, faults.take(content.name));
  }
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Listens on all addresses, or on none: if one is in use, the others are closed again. */
async function openAll(listen: readonly Address[], onRequest: Listener): Promise<readonly Server[]> {
  const servers: Server[] = [];
  try {
    for (const address of listen) servers.push(await open(address, onRequest));
    return servers;
  } catch (error) {
    await Promise.all(servers.map(closeServer));
    throw error;
  }
}

async function open({ host, port }: Address, onRequest: Listener): Promise<Server> {
  const server = createServer(onRequest);
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return server;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw fail('LAB_PORT_TAKEN', { address: `${host}:${port}`, reason }, error);
  }
}

function urlOf(server: Server): string {
  const address = server.address();
  return typeof address === 'object' && address ? `http://${address.address}:${address.port}/` : '';
}

async function closeServer(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}
