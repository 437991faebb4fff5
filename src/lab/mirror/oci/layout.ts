import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '../../../util/write-file.ts';

export const INDEX = 'application/vnd.oci.image.index.v1+json';
export const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';

/** One name of an image, and the digest of its index. */
export interface NamedImage {
  readonly name: string;
  readonly sha256: string;
  readonly size: number;
}

export const blobPath = (layout: string, sha256: string) => join(layout, 'blobs/sha256', sha256);

/** Writes `oci-layout` and `index.json`, which make a directory of blobs an OCI layout. */
export async function writeLayout(layout: string, images: readonly NamedImage[]): Promise<void> {
  await mkdir(layout, { recursive: true });
  const manifests = images.map(({ name, sha256, size }) => ({
    mediaType: INDEX,
    digest: `sha256:${sha256}`,
    size,
    annotations: { 'org.opencontainers.image.ref.name': name },
  }));
  const write = (name: string, value: object) =>
    writeFileAtomically(join(layout, name), `${JSON.stringify(value, null, 2)}\n`, 0o644);
  await write('oci-layout', { imageLayoutVersion: '1.0.0' });
  await write('index.json', { schemaVersion: 2, mediaType: INDEX, manifests });
}
