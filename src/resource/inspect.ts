import type { Downloader } from './download/downloader.ts';
import { downloadSources } from './download/sources.ts';
import { knownChecksum } from './download/expected-checksum.ts';
import type { FileItem, ImageItem } from './item.ts';
import { imageSources, parseReference } from './oci/reference.ts';
import { findExpectedImage, knownDigest } from './oci/expected-digest.ts';

/**
 * Information about an artifact that is available without network access. The field names are part of the JSON output.
 */
export interface ArtifactInfo {
  readonly sha256: string | undefined;
  /** Origin of the checksum. */
  readonly sumFrom: string | undefined;
  /** Undefined until the artifact has been downloaded. */
  readonly size: number | undefined;
  /** Either "cache" or the host of the first source. */
  readonly from: string;
}

export async function inspectFile(downloader: Downloader, item: FileItem): Promise<ArtifactInfo> {
  const checksum = await knownChecksum(downloader, item);
  const blob = checksum && (await downloader.cache.find(checksum.sha256));
  const [first] = downloadSources(item.url, downloader);
  return {
    sha256: checksum?.sha256,
    sumFrom: checksum?.from,
    size: blob?.size,
    from: blob ? 'cache' : (first?.host ?? ''),
  };
}

export async function inspectImage(downloader: Downloader, image: ImageItem): Promise<ArtifactInfo> {
  const [known, found] = await Promise.all([knownDigest(downloader, image), findExpectedImage(downloader, image)]);
  const [first] = imageSources(parseReference(image.ref), downloader);
  const size =
    found && [...new Map(found.blobs.map((blob) => [blob.sha256, blob.size])).values()].reduce((a, b) => a + b, 0);
  return {
    sha256: known?.digest.replace('sha256:', ''),
    sumFrom: known?.from,
    size,
    from: found ? 'cache' : (first?.registry ?? ''),
  };
}
