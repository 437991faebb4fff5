import { createReadStream } from 'node:fs';
import { fail } from '../../common/errors/errors.ts';
import type { ArtifactCache, Blob } from '../cache/cache.ts';
import type { TransferContext } from '../download/fetch-content.ts';
import type { HttpResponse } from '../download/http.ts';
import { referenceText, type Reference } from './reference.ts';
import type { Registries, Registry } from './registry.ts';

/** The dependencies of image pushes. All images share them, so that each blob is sent to a registry only once. */
export interface Pusher {
  readonly cache: ArtifactCache;
  readonly registries: Registries;
  /** Repositories that contain a blob, by registry and digest. */
  readonly knownBlobs: Map<string, string>;
  /** Chunk size for registries that reject a whole blob in one request. */
  readonly chunkBytes?: number;
}

/** The repository that a blob is uploaded to. */
export interface Upload {
  readonly pusher: Pusher;
  readonly registry: Registry;
  readonly reference: Reference;
  readonly ctx: TransferContext;
}

/**
 * Uploads a blob to a repository, unless it already exists there. Mounts the blob if another repository contains it.
 */
export async function uploadBlob(upload: Upload, blob: Blob): Promise<void> {
  const { pusher, registry, reference } = upload;
  const key = `${registry.host} ${blob.sha256}`;
  if (await exists(upload, blob)) {
    pusher.knownBlobs.set(key, reference.repository);
    return;
  }
  const url = await startUpload(upload, blob, pusher.knownBlobs.get(key));
  pusher.knownBlobs.set(key, reference.repository);
  if (url === undefined) return;
  if (!(await uploadWhole(upload, blob, url))) await uploadInChunks(upload, blob);
}

async function exists({ registry, reference, ctx }: Upload, { sha256 }: Blob): Promise<boolean> {
  const url = registry.url(`/v2/${reference.repository}/blobs/sha256:${sha256}`);
  const response = await registry.http.request(url, {
    item: referenceText(reference),
    method: 'HEAD',
    signal: ctx.signal,
  });
  await response.discard();
  return response.status === 200;
}

/** Starts an upload. Returns the upload URL, or undefined if the registry mounted the blob from another repository. */
async function startUpload(
  upload: Upload,
  { sha256 }: Blob,
  mountFrom: string | undefined,
): Promise<string | undefined> {
  const { registry, reference, ctx } = upload;
  const query = mountFrom === undefined ? '' : `?mount=sha256:${sha256}&from=${encodeURIComponent(mountFrom)}`;
  const response = await registry.http.request(registry.url(`/v2/${reference.repository}/blobs/uploads/${query}`), {
    item: referenceText(reference),
    method: 'POST',
    headers: { 'content-length': '0' },
    signal: ctx.signal,
  });
  const { location } = response.headers;
  await expectStatus(response, referenceText(reference), [201, 202]);
  return response.status === 201 ? undefined : uploadUrl(upload, location);
}

/**
 * Keeps the scheme and port of the request, because a registry behind a TLS proxy may return its own plain HTTP
 * address.
 */
function uploadUrl({ registry, reference }: Upload, location: string | undefined): string {
  if (location === undefined)
    throw fail('PUSH_FAILED', {
      image: referenceText(reference),
      reason: 'the registry did not return an upload location',
    });
  const base = new URL(registry.url('/'));
  const url = new URL(location, base);
  if (url.hostname === base.hostname) {
    url.protocol = base.protocol;
    url.port = base.port;
  } else if (base.protocol === 'https:' && url.protocol !== 'https:')
    throw fail('HTTP_REFUSED', {
      url: base.origin,
      reason: `it redirects uploads from HTTPS to HTTP at ${url.host}`,
    });
  return url.href;
}

const withDigest = (uploadUrl: string, { sha256 }: Blob) => {
  const url = new URL(uploadUrl);
  url.searchParams.set('digest', `sha256:${sha256}`);
  return url.href;
};

/** Uploads a blob in one request. Returns false if the registry or a proxy rejects the size. */
async function uploadWhole({ registry, reference, ctx }: Upload, blob: Blob, url: string): Promise<boolean> {
  const item = referenceText(reference);
  const response = await registry.http.request(withDigest(url, blob), {
    item,
    method: 'PUT',
    headers: { 'content-type': 'application/octet-stream', 'content-length': String(blob.size) },
    body: blob.size === 0 ? Buffer.alloc(0) : streamOf(blob),
    signal: ctx.signal,
  });
  if ([405, 411, 413].includes(response.status)) {
    await response.discard();
    return false;
  }
  await expectStatus(response, item, [201]);
  return true;
}

async function uploadInChunks(upload: Upload, blob: Blob): Promise<void> {
  const { registry, reference, ctx } = upload;
  const item = referenceText(reference);
  const { chunkBytes = 8 << 20 } = upload.pusher;
  let url = (await startUpload(upload, blob, undefined))!;
  for (let start = 0; start < blob.size; start += chunkBytes) {
    const end = Math.min(start + chunkBytes, blob.size) - 1;
    const response = await registry.http.request(url, {
      item,
      method: 'PATCH',
      headers: {
        'content-type': 'application/octet-stream',
        'content-length': String(end - start + 1),
        'content-range': `${start}-${end}`,
      },
      body: streamOf(blob, start, end),
      signal: ctx.signal,
    });
    const { location } = response.headers;
    await expectStatus(response, item, [202]);
    url = uploadUrl(upload, location);
  }
  const response = await registry.http.request(withDigest(url, blob), {
    item,
    method: 'PUT',
    headers: { 'content-length': '0' },
    signal: ctx.signal,
  });
  await expectStatus(response, item, [201]);
}

/** Fails with the response text if the status is not one of the expected ones. */
export async function expectStatus(response: HttpResponse, image: string, expected: readonly number[]): Promise<void> {
  const text = await response.text();
  if (expected.includes(response.status)) return;
  throw fail('PUSH_FAILED', {
    image,
    reason: `the registry responded with HTTP ${response.status}: ${text.slice(0, 400)}`,
  });
}

/** Returns the bytes from `start` to `end`, inclusive. */
const streamOf = (blob: Blob, start = 0, end = blob.size - 1) =>
  createReadStream(blob.path, { start, end, highWaterMark: 1 << 20 });
