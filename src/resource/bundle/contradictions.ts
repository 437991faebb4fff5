import { fail } from '../../common/errors/errors.ts';
import type { ArtifactCache } from '../cache/cache.ts';
import { readChecksumRecord } from '../cache/checksum-record.ts';
import { fileTitle } from '../item.ts';
import { readImageRecord } from '../oci/image-store.ts';
import { BUILT_IN } from '../trust.ts';
import { parseReference } from '../oci/reference.ts';
import type { OpenBundle } from './open.ts';
import { findOtherPackage } from './system-packages.ts';

/** Fails if a bundle contradicts a checksum, digest or package from a publisher. A bundle never replaces these. */
export async function checkContradictions(cache: ArtifactCache, { path, index }: OpenBundle): Promise<void> {
  for (const file of index.files.filter(({ own }) => !own)) {
    const known = await readChecksumRecord(cache.folder, file.url);
    if (known && known.sha256 !== file.sha256)
      throw fail('BUNDLE_CONTRADICTS', { path, item: fileTitle(file), url: file.url, from: known.from });
  }
  for (const { ref, digest } of index.images) {
    const known = await readImageRecord(cache, ref);
    // Compares only with digests from the publisher. In mirrors and earlier bundles, a tag may refer to another digest.
    const isPublished = known?.from === parseReference(ref).registry || known?.from === BUILT_IN;
    if (known && isPublished && known.digest !== digest)
      throw fail('BUNDLE_CONTRADICTS', { path, item: ref, url: ref, from: known.from });
  }
  for (const system of index.systems) {
    const other = await findOtherPackage(cache, system);
    if (other)
      throw fail('BUNDLE_CONTRADICTS', {
        path,
        item: `${other.name} ${other.version}`,
        url: other.file,
        from: `the package list of ${system.id}`,
      });
  }
}
