import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fail, KubexmError } from '../../common/errors/errors.ts';
import { withoutCredentials } from '../../common/secret.ts';
import { ensureFolder } from '../../util/ensure-folder.ts';
import { hashFile, type Hashed } from '../cache/hash.ts';
import type { Http, HttpAnswer } from './http.ts';
import { dropPartial, readPartial, writeOrigin, type Origin, type Partial } from './partial-file.ts';
import { watchStall, type StallWatch } from './stall.ts';

/** How one try to get all bytes of a file ended. */
export type Transferred =
  | { readonly type: 'whole'; readonly content: Hashed; readonly mixed: boolean }
  /** It may work the next time, from where it stopped. */
  | { readonly type: 'again'; readonly reason: string; readonly afterMs?: number }
  /** This source does not have it. */
  | { readonly type: 'never'; readonly reason: string };

/** What is to be brought where. */
export interface TransferOptions {
  readonly http: Http;
  readonly item: string;
  readonly url: string;
  /** Sent with the request, for registries. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly partial: string;
  readonly signal: AbortSignal;
  /** Too slow is when less than a few KiB came in this time. */
  readonly stallMs: number;
  readonly onBytes: (received: number, total: number | undefined) => void;
}

/** Brings the bytes that are missing into the partial file. */
export async function transfer(options: TransferOptions): Promise<Transferred> {
  using stall = watchStall(options.stallMs, options.signal);
  try {
    const partial = await readPartial(options.partial);
    const { http, item, url, headers } = options;
    if (partial.origin && partial.size > 0 && partial.size === partial.origin.total)
      return { type: 'whole', content: await hashFile(partial.path), mixed: partial.origin.mixed };
    const range = rangeHeaders(partial, url);
    const answer = await http.request(url, { item, headers: { ...headers, ...range }, signal: stall.signal });
    return await take(options, partial, answer, stall);
  } catch (error) {
    if (options.signal.aborted) throw fail('INTERRUPTED', {}, error);
    if (stall.signal.aborted) return { type: 'again', reason: `no data for ${Math.round(options.stallMs / 1000)} s` };
    if (error instanceof KubexmError) {
      if (error.code !== 'HTTP_REFUSED' && error.code !== 'REGISTRY_DENIED') throw error;
      return { type: 'never', reason: error.report.message };
    }
    return { type: 'again', reason: withoutCredentials(error instanceof Error ? reasonOf(error) : String(error)) };
  }
}

/** An answer that changed since then is sent whole; where there is nothing to tell a change by, the sum decides. */
function rangeHeaders({ size, origin }: Partial, url: string): Readonly<Record<string, string>> {
  if (size === 0 || !origin) return {};
  const same = origin.url === url && origin.validator !== '';
  return { range: `bytes=${size}-`, ...(same && { 'if-range': origin.validator }) };
}

async function take(
  options: TransferOptions,
  partial: Partial,
  answer: HttpAnswer,
  stall: StallWatch,
): Promise<Transferred> {
  const problem = await answerProblem(partial, answer);
  if (problem) {
    await answer.drop();
    return problem;
  }
  const from = answer.status === 206 ? partial.size : 0;
  const length = Number(answer.headers['content-length']);
  const total = answer.headers['content-length'] === undefined ? undefined : from + length;
  const origin: Origin = {
    url: options.url,
    validator: validatorOf(answer),
    total: total ?? 0,
    mixed: from > 0 && (partial.origin?.mixed === true || partial.origin?.url !== options.url),
  };
  await ensureFolder(dirname(options.partial), 0o700);
  const hash = createHash('sha256');
  if (from > 0) for await (const chunk of createReadStream(options.partial, { end: from - 1 })) hash.update(chunk);
  await using file = await openAt(options.partial, from);
  await writeOrigin(options.partial, origin);
  let size = from;
  // Not before: a slow disk here is no slow source.
  stall.begin();
  for await (const chunk of answer.body) {
    stall.heard(chunk.length);
    hash.update(chunk);
    await append(file, chunk, options.partial);
    size += chunk.length;
    options.onBytes(size, total);
  }
  if (total !== undefined && size < total) return { type: 'again', reason: `it ended after ${size} of ${total} bytes` };
  await file.sync();
  return { type: 'whole', content: { sha256: hash.digest('hex'), size }, mixed: origin.mixed };
}

/** Anything but the bytes that were asked for. */
async function answerProblem(partial: Partial, { status, headers }: HttpAnswer): Promise<Transferred | undefined> {
  if (status === 200) return undefined;
  if (status === 206) {
    const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers['content-range'] ?? '') ?? [];
    const known = partial.origin?.total ?? 0;
    const fits = Number(start) === partial.size && (total === '*' || known === 0 || Number(total) === known);
    if (fits) return undefined;
  }
  if (status === 206 || status === 416) {
    await dropPartial(partial.path);
    return { type: 'again', reason: 'it has other bytes now', afterMs: 0 };
  }
  const passing = status >= 500 || status === 408 || status === 425 || status === 429;
  if (!passing) return { type: 'never', reason: `it answered ${status}` };
  const after = Number(headers['retry-after']);
  return { type: 'again', reason: `it answered ${status}`, ...(after > 0 && { afterMs: Math.min(after, 30) * 1000 }) };
}

/** A weak ETag may stay the same when bytes change. */
function validatorOf({ headers }: HttpAnswer): string {
  const { etag } = headers;
  return etag !== undefined && !etag.startsWith('W/') ? etag : (headers['last-modified'] ?? '');
}

async function openAt(path: string, from: number): Promise<FileHandle> {
  const file = await open(path, from > 0 ? 'r+' : 'w', 0o600);
  await file.truncate(from);
  return from > 0 ? reopened(file, path) : file;
}

/** Appends from now on. */
async function reopened(file: FileHandle, path: string): Promise<FileHandle> {
  await file.close();
  return open(path, 'a', 0o600);
}

async function append(file: FileHandle, chunk: Buffer, path: string): Promise<void> {
  try {
    await file.appendFile(chunk);
  } catch (error) {
    throw fail('FILE_UNWRITABLE', { path, reason: error instanceof Error ? error.message : String(error) }, error);
  }
}

/** What undici wraps often says more than the wrapping. */
const reasonOf = (error: Error) =>
  error.cause instanceof Error && error.cause.message ? `${error.message}: ${error.cause.message}` : error.message;
