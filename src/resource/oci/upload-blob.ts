import { createReadStream } from 'node:fs';
import { fail } from '../../common/errors/errors.ts';
import type { ArtifactCache, Blob } from '../cache/cache.ts';
import type { Watch } from '../download/fetch-content.ts';
import type { HttpAnswer } from '../download/http.ts';
import { referenceText, type Reference } from './reference.ts';
import type { Registries, Registry } from './registry.ts';

/** What pushing works with; one for many images, because it remembers which blobs a registry has. */
export interface Pusher {
  readonly cache: ArtifactCache;
  readonly registries: Registries;
  /** A repository that has the blob, by registry and digest. */
  readonly known: Map<string, string>;
  /** Of what is sent at once, where the whole is refused. */
  readonly pieceBytes?: number;
}

/** Where a blob goes. */
export interface Upload {
  readonly pusher: Pusher;
  readonly registry: Registry;
  readonly reference: Reference;
  readonly watch: Watch;
}

/** Puts a blob into a repository: not at all when it is there, by reference when another repository has it. */
export async function uploadBlob(upload: Upload, blob: Blob): Promise<void> {
  const { pusher, registry, reference } = upload;
  const key = `${registry.host} ${blob.sha256}`;
  if (await isThere(upload, blob)) {
    pusher.known.set(key, reference.repository);
    return;
  }
  const place = await begin(upload, blob, pusher.known.get(key));
  pusher.known.set(key, reference.repository);
  if (place === undefined) return;
  if (!(await inOne(upload, blob, place))) await inPieces(upload, blob);
}

async function isThere({ registry, reference, watch }: Upload, { sha256 }: Blob): Promise<boolean> {
  const place = registry.url(`/v2/${reference.repository}/blobs/sha256:${sha256}`);
  const answer = await registry.http.request(place, {
    item: referenceText(reference),
    method: 'HEAD',
    signal: watch.signal,
  });
  await answer.drop();
  return answer.status === 200;
}

/** Where to send it; undefined when the registry took it from another repository. */
async function begin(upload: Upload, { sha256 }: Blob, other: string | undefined): Promise<string | undefined> {
  const { registry, reference, watch } = upload;
  const mount = other === undefined ? '' : `?mount=sha256:${sha256}&from=${encodeURIComponent(other)}`;
  const answer = await registry.http.request(registry.url(`/v2/${reference.repository}/blobs/uploads/${mount}`), {
    item: referenceText(reference),
    method: 'POST',
    headers: { 'content-length': '0' },
    signal: watch.signal,
  });
  const { location } = answer.headers;
  await accepted(answer, referenceText(reference), [201, 202]);
  return answer.status === 201 ? undefined : placeOf(upload, location);
}

/** A registry behind a proxy may name itself without the TLS that we came with. */
function placeOf({ registry, reference }: Upload, location: string | undefined): string {
  if (location === undefined)
    throw fail('PUSH_FAILED', { image: referenceText(reference), reason: 'it did not say where to upload to' });
  const ours = new URL(registry.url('/'));
  const place = new URL(location, ours);
  if (place.hostname === ours.hostname) {
    place.protocol = ours.protocol;
    place.port = ours.port;
  }
  return place.href;
}

const withDigest = (place: string, { sha256 }: Blob) => {
  const url = new URL(place);
  url.searchParams.set('digest', `sha256:${sha256}`);
  return url.href;
};

/** False when the registry, or a proxy before it, does not take it in one piece. */
async function inOne({ registry, reference, watch }: Upload, blob: Blob, place: string): Promise<boolean> {
  const item = referenceText(reference);
  const answer = await registry.http.request(withDigest(place, blob), {
    item,
    method: 'PUT',
    headers: { 'content-type': 'application/octet-stream', 'content-length': String(blob.size) },
    body: blob.size === 0 ? Buffer.alloc(0) : streamOf(blob),
    signal: watch.signal,
  });
  if ([405, 411, 413].includes(answer.status)) {
    await answer.drop();
    return false;
  }
  await accepted(answer, item, [201]);
  return true;
}

async function inPieces(upload: Upload, blob: Blob): Promise<void> {
  const { registry, reference, watch } = upload;
  const item = referenceText(reference);
  const { pieceBytes = 8 << 20 } = upload.pusher;
  let place = (await begin(upload, blob, undefined))!;
  for (let start = 0; start < blob.size; start += pieceBytes) {
    const end = Math.min(start + pieceBytes, blob.size) - 1;
    const answer = await registry.http.request(place, {
      item,
      method: 'PATCH',
      headers: {
        'content-type': 'application/octet-stream',
        'content-length': String(end - start + 1),
        'content-range': `${start}-${end}`,
      },
      body: streamOf(blob, start, end),
      signal: watch.signal,
    });
    const { location } = answer.headers;
    await accepted(answer, item, [202]);
    place = placeOf(upload, location);
  }
  const answer = await registry.http.request(withDigest(place, blob), {
    item,
    method: 'PUT',
    headers: { 'content-length': '0' },
    signal: watch.signal,
  });
  await accepted(answer, item, [201]);
}

/** What the registry says goes into the error. */
export async function accepted(answer: HttpAnswer, image: string, wanted: readonly number[]): Promise<void> {
  const text = await answer.text();
  if (wanted.includes(answer.status)) return;
  throw fail('PUSH_FAILED', { image, reason: `it answered ${answer.status}: ${text.slice(0, 400)}` });
}

/** From a byte on, at most so many. */
const streamOf = (blob: Blob, start = 0, end = blob.size - 1) =>
  createReadStream(blob.path, { start, end, highWaterMark: 1 << 20 });
