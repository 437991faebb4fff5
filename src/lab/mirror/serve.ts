import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { fail } from '../../common/errors/errors.ts';
import { mirrorPaths } from './paths.ts';
import { answerControl, CONTROL } from './serve/control.ts';
import { createFaultBoard, type FaultBoard } from './serve/faults.ts';
import { findFile } from './serve/files.ts';
import { findInRegistry } from './serve/registry.ts';
import { sendFile, sendJson, type Found } from './serve/send.ts';

/** A mirror that answers until it is closed. */
export interface MirrorServer extends AsyncDisposable {
  /** Where it answers, with a slash at the end: what `artifacts.mirror` wants. */
  readonly url: string;
  /** The same for each address it listens on. */
  readonly urls: readonly string[];
  readonly faults: FaultBoard;
  /** What was asked for, in order. */
  requests(): readonly MirrorRequest[];
  close(): Promise<void>;
}

/** One request to a mirror, and how it was answered. */
export interface MirrorRequest {
  readonly method: string;
  readonly path: string;
  readonly range: string;
  readonly status: number;
}

/** Which mirror to serve, and where. */
export interface ServeOptions {
  readonly folder: string;
  /** The first is the one for this computer. A port 0 is any that is free. */
  readonly listen?: readonly Address[];
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Serves the files of a mirror by host and path, and its images as a registry. */
export async function serveMirror({ folder, listen = [LOOPBACK] }: ServeOptions): Promise<MirrorServer> {
  const paths = mirrorPaths(folder);
  const faults = createFaultBoard();
  const requests: MirrorRequest[] = [];
  const onRequest = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://mirror');
    const { method = 'GET', headers } = request;
    if (url.pathname.startsWith(CONTROL)) return answerControl(request, response, url, faults);
    response.once('close', () => {
      requests.push({ method, path: url.pathname, range: headers.range ?? '', status: response.statusCode });
      if (requests.length > REMEMBERED) requests.shift();
    });
    if (method !== 'GET' && method !== 'HEAD') return sendJson(response, 405, READ_ONLY);
    const found = url.pathname.startsWith('/v2') ? await findInRegistry(paths, url) : await findFile(paths, url);
    return send(found, request, response, faults);
  };
  const servers = await openAll(listen, (request, response) => {
    onRequest(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });
  const urls = servers.map(urlOf);
  const close = async () => void (await Promise.all(servers.map(shut)));
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
const REMEMBERED = 10_000;
const READ_ONLY = { errors: [{ code: 'UNSUPPORTED', message: 'this mirror is for reading only' }] };

function send(
  found: Found,
  request: IncomingMessage,
  response: ServerResponse,
  faults: FaultBoard,
): Promise<void> | void {
  switch (found.type) {
    case 'json':
      return sendJson(response, found.status, found.body);
    case 'file':
      return sendFile(found, request, response, faults.take(found.name));
  }
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** All or none: where one address is taken, the others are let go again. */
async function openAll(listen: readonly Address[], onRequest: Listener): Promise<readonly Server[]> {
  const servers: Server[] = [];
  try {
    for (const address of listen) servers.push(await open(address, onRequest));
    return servers;
  } catch (error) {
    await Promise.all(servers.map(shut));
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

async function shut(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}
