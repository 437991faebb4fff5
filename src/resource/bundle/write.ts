import { createHash, type KeyObject } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { fail } from '../../common/errors/errors.ts';
import { tarOf, type TarEntry } from '../../util/tar.ts';
import type { ArtifactCache } from '../cache/cache.ts';
import { INDEX, indexText, isBlob, SBOM, SIGNATURE, type BundleContent } from './bundle-index.ts';
import type { ComposedBundle } from './compose.ts';
import { signText } from './sign.ts';

/**
 * Writes a bundle as a stream. Verifies every blob while reading it from the cache, so that the bundle matches its
 * index.
 */
export function bundleTar(
  cache: ArtifactCache,
  { index, sbom }: ComposedBundle,
  key: KeyObject,
  onBytes: (sent: number) => void,
): AsyncGenerator<Buffer> {
  const text = indexText(index);
  let sent = 0;
  const count = (bytes: number) => onBytes((sent += bytes));
  function* entries(): Generator<TarEntry> {
    yield { type: 'text', path: INDEX, text, mode: MODE };
    yield { type: 'text', path: SIGNATURE, text: `${JSON.stringify(signText(text, key))}\n`, mode: MODE };
    yield { type: 'text', path: SBOM, text: sbom, mode: MODE };
    for (const one of index.content.filter(isBlob)) {
      const content = verifiedContent(cache, one, count);
      yield { type: 'content', path: one.path, content, size: one.size, mode: MODE };
    }
  }
  return tarOf(entries());
}

const MODE = 0o644;

async function* verifiedContent(
  cache: ArtifactCache,
  { sha256, size }: BundleContent,
  count: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  const missing = () =>
    fail('OFFLINE_MISSING', { item: sha256, url: `${cache.folder}, which changed while the bundle was written` });
  const blob = await cache.find(sha256);
  if (blob?.size !== size) throw missing();
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(blob.path, { highWaterMark: 1 << 20 })) {
    hash.update(chunk);
    yield chunk;
    count(chunk.length);
  }
  if (hash.digest('hex') !== sha256) throw missing();
}
