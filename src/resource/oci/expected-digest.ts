import { listedChecksum } from '../download/checksum-file.ts';
import type { Downloader } from '../download/downloader.ts';
import type { ImageItem } from '../item.ts';
import { BUILT_IN, checksumsOrigin, isTrustedOrigin, OVERRIDE, REFERENCE } from '../trust.ts';
import { findImage, readImageRecord, type CachedImage } from './image-store.ts';
import { parseReference } from './reference.ts';

/** The digest that an image must have, and its origin. */
export interface ExpectedDigest {
  readonly digest: string;
  readonly from: string;
}

type DigestSources = Pick<Downloader, 'cache' | 'checksums' | 'trust'>;

/**
 * Looks up a digest without network access. Order of precedence: cluster file, image reference, user's checksum file,
 * record of an earlier pull that applies to this run, built-in table.
 */
export async function knownDigest(
  { cache, checksums, trust }: DigestSources,
  { ref, sha256 }: Pick<ImageItem, 'ref' | 'sha256'>,
): Promise<ExpectedDigest | undefined> {
  if (sha256 !== undefined) return { digest: `sha256:${sha256}`, from: OVERRIDE };
  const { digest } = parseReference(ref);
  if (digest !== undefined) return { digest, from: REFERENCE };
  const listed = listedChecksum(checksums.lines, `https://${ref}`, checksums.file);
  if (listed !== undefined) return { digest: `sha256:${listed}`, from: checksumsOrigin(checksums.file) };
  const record = await readImageRecord(cache, ref);
  if (record && isTrustedOrigin(record.from, trust)) return { digest: record.digest, from: record.from };
  const builtIn = KNOWN_DIGESTS[ref];
  return builtIn === undefined ? undefined : { digest: builtIn, from: BUILT_IN };
}

/**
 * Digests of published images, by reference, so that a mirror cannot replace these images even if the publisher is
 * unavailable. Lists only digests confirmed by several independent sources; publishers provide the digests of other
 * images.
 */
const KNOWN_DIGESTS: Readonly<Record<string, string>> = {
  'registry.k8s.io/pause:3.9': 'sha256:7031c1b283388d2c2e09b57badb803c05ebed362dc88d84b480cc47f72a21097',
  'registry.k8s.io/pause:3.10': 'sha256:ee6521f290b2168b6e0935a181d4cff9be1ac3f505666ef0e3c98fae8199917a',
  'registry.k8s.io/pause:3.10.1': 'sha256:278fb9dbcca9518083ad1e11276933a2e96f23de604a3a08cc3c80002767d24c',
  'registry.k8s.io/pause:3.10.2': 'sha256:f548e0e8e3dc1896ca956272154dde3314e8cc4fde0a57577ee9fa1c63f5baf4',
};

/** Finds a complete image with the expected digest in the cache. */
export async function findExpectedImage(sources: DigestSources, image: ImageItem): Promise<CachedImage | undefined> {
  const [known, found] = await Promise.all([
    knownDigest(sources, image),
    findImage(sources.cache, image.ref, image.arches),
  ]);
  return found?.image.digest === known?.digest ? found : undefined;
}
