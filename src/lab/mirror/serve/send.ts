import { createReadStream } from 'node:fs';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../../../common/json.ts';
import type { MirrorFault } from './faults.ts';
import { rangeOf, type ByteRange } from './range.ts';

/** The response to a request, before faults are injected. */
export type MirrorResponse =
  { readonly type: 'json'; readonly status: number; readonly body: Json } | ({ readonly type: 'file' } & FileResponse);

interface FileResponse {
  /** Matched against fault patterns. */
  readonly name: string;
  readonly path: string;
  readonly size: number;
  readonly modified: number;
  readonly headers: Readonly<Record<string, string>>;
}

export function sendJson(response: ServerResponse, status: number, body: Json | object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Sends a file or the requested range of it, with faults injected. */
export async function sendFile(
  file: FileResponse,
  request: IncomingMessage,
  response: ServerResponse,
  faults: readonly MirrorFault[],
): Promise<void> {
  const has = (type: MirrorFault['type']) => faults.some((fault) => fault.type === type);
  for (const fault of faults) {
    if (fault.type === 'error') return sendJson(response, fault.status, { error: 'injected fault' });
    if (fault.type === 'wrong-content' && fault.page) return sendLoginPage(response);
  }
  const tag = `"${file.size.toString(16)}-${Math.round(file.modified).toString(16)}"`;
  const range = has('no-range') ? { type: 'whole' as const } : rangeOf(request.headers, tag, file.size);
  if (range.type === 'beyond') {
    response.writeHead(416, { 'content-range': `bytes */${file.size}` }).end();
    return;
  }
  const [start, end] = range.type === 'part' ? [range.start, range.end] : [0, file.size - 1];
  response.writeHead(range.type === 'part' ? 206 : 200, {
    'content-type': 'application/octet-stream',
    'content-length': end - start + 1,
    etag: tag,
    ...(has('no-range') ? {} : { 'accept-ranges': 'bytes' }),
    ...(range.type === 'part' && { 'content-range': `bytes ${start}-${end}/${file.size}` }),
    ...file.headers,
    ...(has('wrong-checksum') && file.headers[DIGEST] && { [DIGEST]: `sha256:${'0'.repeat(64)}` }),
  });
  if (request.method === 'HEAD' || file.size === 0) response.end();
  else await sendBody(file, { start, end }, response, faults);
}

const DIGEST = 'docker-content-digest';

function sendLoginPage(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Please log in</title>\n');
}

async function sendBody(
  { path, name }: FileResponse,
  { start, end }: Part,
  response: ServerResponse,
  faults: readonly MirrorFault[],
): Promise<void> {
  const has = (type: MirrorFault['type']) => faults.some((fault) => fault.type === type);
  const isCut = has('truncated') || has('stall');
  // Half of the content, so that the client has a partial file to resume from.
  const last = isCut ? start + Math.ceil((end - start + 1) / 2) - 1 : end;
  const rate = faults.find((fault) => fault.type === 'slow')?.bytesPerSecond;
  const isCorrupt = has('wrong-content') || (has('wrong-checksum') && isChecksumFile(name));
  await pipeline(readChunks(path, { start, end: last }, rate, isCorrupt), response, { end: !isCut });
  if (has('stall')) await once(response, 'close');
  else if (isCut) response.socket?.end();
}

type Part = Pick<Extract<ByteRange, { type: 'part' }>, 'start' | 'end'>;

async function* readChunks(
  path: string,
  part: Part,
  rate: number | undefined,
  isCorrupt: boolean,
): AsyncGenerator<Buffer> {
  const highWaterMark = rate ? Math.max(1, Math.min(CHUNK, Math.ceil(rate / 10))) : CHUNK;
  for await (const chunk of createReadStream(path, { ...part, highWaterMark })) {
    if (!Buffer.isBuffer(chunk)) return;
    if (isCorrupt) corrupt(chunk);
    yield chunk;
    if (rate) await sleep((chunk.length / rate) * 1000);
  }
}

const CHUNK = 256 << 10;

const isChecksumFile = (name: string) => /sha(256|512)/i.test(basename(name));

/** Replaces hex digits with other hex digits, so that a corrupt checksum file still parses. */
function corrupt(chunk: Buffer): void {
  for (let index = 0; index < chunk.length; index++) {
    const byte = chunk[index] ?? 0;
    const isHex = (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66);
    if (isHex) chunk[index] = byte === 0x30 ? 0x31 : 0x30;
  }
}
