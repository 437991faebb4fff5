import { listedChecksum } from '../download/checksum-file.ts';
import type { Downloader } from '../download/downloader.ts';
import type { ImageItem } from '../item.ts';
import { KNOWN_DIGESTS } from '../catalog/known-digests.ts';
import { BUILT_IN, checksumsOrigin, isTrustedOrigin, OVERRIDE, REFERENCE } from '../trust.ts';
import { findImage, readImageRecord, type CachedImage } from './image-store.ts';
import { parseReference } from './reference.ts';

/** The digest that an image must have, and where it is from. */
export interface ExpectedDigest {
  readonly digest: string;
  readonly from: string;
}

type DigestSources = Pick<Downloader, 'cache' | 'checksums' | 'trust'>;

/**
 * Looks a digest up locally. In order of precedence: cluster file, digest in the reference, user's checksum file, record
 * of an earlier pull that applies to this run, the table of kubexm.
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

/** Finds a complete image in the cache that has the expected digest. */
export async function findExpectedImage(sources: DigestSources, image: ImageItem): Promise<CachedImage | undefined> {
  const [known, found] = await Promise.all([
    knownDigest(sources, image),
    findImage(sources.cache, image.ref, image.arches),
  ]);
  return found?.image.digest === known?.digest ? found : undefined;
}
