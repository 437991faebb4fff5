import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fail, KubexmError } from '../../common/errors/errors.ts';
import { withoutCredentials } from '../../common/secret.ts';
import { ensureFolder } from '../../util/ensure-folder.ts';
import { hashFile, type FileHash } from '../cache/hash.ts';
import type { Http, HttpResponse } from './http.ts';
import { readPartial, removePartial, writeOrigin, type PartialFile } from './partial-file.ts';
import { detectStall, type StallDetector } from './stall.ts';

/** The result of one attempt to complete a partial file. */
export type TransferResult =
  | { readonly type: 'complete'; readonly content: FileHash; readonly mixed: boolean }
  /** A later attempt may succeed; it resumes after the bytes received so far. */
  | { readonly type: 'retry'; readonly reason: string; readonly afterMs?: number }
  /** This source does not have the file. */
  | { readonly type: 'unavailable'; readonly reason: string };

/** The URL to download and the partial file to complete. */
export interface ResumeOptions {
  readonly http: Http;
  readonly item: string;
  readonly url: string;
  /** Additional request headers, for registries. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly partialPath: string;
  readonly signal: AbortSignal;
  /** Abort if less than a few KiB arrive in this time. */
  readonly stallTimeoutMs: number;
  readonly onBytes: (received: number, total: number | undefined) => void;
}

/** Resumes a download: requests the bytes missing from the partial file and appends them. */
export async function resumeDownload(options: ResumeOptions): Promise<TransferResult> {
  using stall = detectStall(options.stallTimeoutMs, options.signal);
  try {
    const partial = await readPartial(options.partialPath);
    const { http, item, url, headers } = options;
    if (partial.origin && partial.size > 0 && partial.size === partial.origin.total)
      return { type: 'complete', content: await hashFile(partial.path), mixed: partial.origin.mixed };
    const range = rangeHeaders(partial, url);
    const response = await http.request(url, { item, headers: { ...headers, ...range }, signal: stall.signal });
    const problem = await responseProblem(partial, response);
    if (!problem) return await appendBody(options, partial, response, stall);
    await response.discard();
    return problem;
  } catch (error) {
    if (options.signal.aborted) throw fail('INTERRUPTED', {}, error);
    if (stall.signal.aborted)
      return { type: 'retry', reason: `no data for ${Math.round(options.stallTimeoutMs / 1000)} s` };
    if (error instanceof KubexmError) {
      if (error.code !== 'HTTP_REFUSED' && error.code !== 'REGISTRY_DENIED') throw error;
      return { type: 'unavailable', reason: error.report.message };
    }
    return { type: 'retry', reason: withoutCredentials(error instanceof Error ? reasonOf(error) : String(error)) };
  }
}

/**
 * Returns the headers for a partial request. With If-Range, the server sends the complete file if it changed. Without a
 * validator, the checksum detects a change.
 */
function rangeHeaders({ size, origin }: PartialFile, url: string): Readonly<Record<string, string>> {
  if (size === 0 || !origin) return {};
  const canValidate = origin.url === url && origin.validator !== '';
  return { range: `bytes=${size}-`, ...(canValidate && { 'if-range': origin.validator }) };
}

async function appendBody(
  options: ResumeOptions,
  partial: PartialFile,
  response: HttpResponse,
  stall: StallDetector,
): Promise<TransferResult> {
  const { url, partialPath: path } = options;
  const start = response.status === 206 ? partial.size : 0;
  const length = response.headers['content-length'];
  const total = length === undefined ? undefined : start + Number(length);
  const mixed = start > 0 && (partial.origin?.mixed === true || partial.origin?.url !== url);
  await ensureFolder(dirname(path), 0o700);
  const hash = createHash('sha256');
  if (start > 0) for await (const chunk of createReadStream(path, { end: start - 1 })) hash.update(chunk);
  await using file = await openAt(path, start);
  await writeOrigin(path, { url, validator: validatorOf(response), total: total ?? 0, mixed });
  let size = start;
  // The stall timer starts only now, so that a slow local disk is not mistaken for a stalled source.
  stall.start();
  for await (const chunk of response.body) {
    stall.received(chunk.length);
    hash.update(chunk);
    await append(file, chunk, path);
    size += chunk.length;
    options.onBytes(size, total);
  }
  if (total !== undefined && size < total)
    return { type: 'retry', reason: `the response ended after ${size} of ${total} bytes` };
  await file.sync();
  return { type: 'complete', content: { sha256: hash.digest('hex'), size }, mixed };
}

/** Checks the status of a response. Returns undefined if the response contains the requested bytes. */
async function responseProblem(
  partial: PartialFile,
  { status, headers }: HttpResponse,
): Promise<TransferResult | undefined> {
  if (status === 200) return undefined;
  if (status === 206) {
    const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers['content-range'] ?? '') ?? [];
    const known = partial.origin?.total ?? 0;
    const matches = Number(start) === partial.size && (total === '*' || known === 0 || Number(total) === known);
    if (matches) return undefined;
  }
  if (status === 206 || status === 416) {
    await removePartial(partial.path);
    return { type: 'retry', reason: 'the file changed on the server', afterMs: 0 };
  }
  const reason = `HTTP ${status}`;
  const isTemporary = status >= 500 || status === 408 || status === 425 || status === 429;
  if (!isTemporary) return { type: 'unavailable', reason };
  const after = Number(headers['retry-after']);
  return { type: 'retry', reason, ...(after > 0 && { afterMs: Math.min(after, 30) * 1000 }) };
}

/** Ignores weak ETags, because they may remain the same when bytes change. */
function validatorOf({ headers }: HttpResponse): string {
  const { etag } = headers;
  return etag !== undefined && !etag.startsWith('W/') ? etag : (headers['last-modified'] ?? '');
}

/** Truncates the file to `start` bytes and opens it for appending. */
async function openAt(path: string, start: number): Promise<FileHandle> {
  const file = await open(path, start > 0 ? 'r+' : 'w', 0o600);
  await file.truncate(start);
  if (start === 0) return file;
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

/** Returns the message of the actual error, which undici often wraps in `cause`. */
const reasonOf = (error: Error) =>
  error.cause instanceof Error && error.cause.message ? `${error.message}: ${error.cause.message}` : error.message;
