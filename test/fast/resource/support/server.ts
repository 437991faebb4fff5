import { createHash } from 'node:crypto';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { onTestFinished } from 'vitest';

/** How one request fails. */
export type Fault =
  | 'none'
  | '503'
  | '404'
  | 'reset'
  | 'truncated'
  | 'stalled'
  | 'slow'
  | 'wrong'
  | 'page'
  | 'no-range'
  | 'other-total'
  | 'other-start';

/** An HTTP server that serves files and injects faults. */
export interface FileServer {
  readonly url: string;
  readonly host: string;
  readonly requests: { readonly path: string; readonly range: string | undefined; readonly status: number }[];
  put(path: string, content: Buffer | string): void;
  /** Injects one fault into each of the next requests for this path. */
  fail(path: string, ...faults: readonly Fault[]): void;
  /** Handles requests for a path instead of serving a file. */
  answer(path: string, answer: (request: IncomingMessage, response: ServerResponse) => void): void;
}

export async function fileServer(tls?: { readonly key: string; readonly cert: string }): Promise<FileServer> {
  const files = new Map<string, Buffer>();
  const faults = new Map<string, Fault[]>();
  const answers = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>();
  const requests: FileServer['requests'] = [];
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '';
    response.on('error', () => {});
    requests.push({
      path,
      range: request.headers.range,
      get status() {
        return response.statusCode;
      },
    });
    const own = answers.get(path);
    if (own) return own(request, response);
    send(request, response, files.get(path), faults.get(path)?.shift() ?? 'none');
  };
  const server = tls ? createTlsServer(tls, serve) : createHttpServer(serve);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    requests,
    put: (path, content) => void files.set(path, Buffer.from(content)),
    fail: (path, ...list) => void faults.set(path, [...list]),
    answer: (path, answer) => void answers.set(path, answer),
  };
}

function send(request: IncomingMessage, response: ServerResponse, file: Buffer | undefined, fault: Fault): void {
  if (!file || fault === '404') return void response.writeHead(404).end('not here');
  if (fault === '503') return void response.writeHead(503).end('busy');
  if (fault === 'reset') return void request.socket.destroy();
  if (fault === 'page') return void response.writeHead(200).end('<!DOCTYPE html><p>Log in first</p>');
  const content = fault === 'wrong' ? Buffer.from(file.map((byte, at) => (at > 64 ? byte ^ 1 : byte))) : file;
  const asked = fault === 'no-range' ? 0 : startOf(request, content, fault);
  const start = fault === 'other-start' && asked > 0 ? asked - 10 : asked;
  if (start >= content.length && start > 0)
    return void response.writeHead(416, { 'content-range': `bytes */${content.length}` }).end();
  const total = fault === 'other-total' ? content.length + 1 : content.length;
  const body = content.subarray(start);
  response.writeHead(start > 0 ? 206 : 200, {
    'content-length': body.length,
    ...(fault !== 'no-range' && { etag: tagOf(content), 'accept-ranges': 'bytes' }),
    ...(start > 0 && { 'content-range': `bytes ${start}-${content.length - 1}/${total}` }),
  });
  const half = body.subarray(0, Math.ceil(body.length / 2));
  // After a pause, so that the bytes in flight are not lost with the connection.
  if (fault === 'truncated') return void response.write(half, () => setTimeout(() => request.socket.destroy(), 10));
  if (fault === 'stalled') return void response.write(half);
  if (fault === 'slow') {
    response.write(half);
    return void setTimeout(() => response.end(body.subarray(half.length)), 20);
  }
  response.end(body);
}

/** Sends a range only if the content matches If-Range, as servers do. */
function startOf(request: IncomingMessage, content: Buffer, fault: Fault): number {
  const [, start] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? [];
  const ifRange = request.headers['if-range'];
  const same = ifRange === undefined || ifRange === tagOf(content) || fault === 'other-total';
  return start !== undefined && same ? Number(start) : 0;
}

const tagOf = (content: Buffer) => `"${sha256Of(content)}"`;

export const sha256Of = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');
