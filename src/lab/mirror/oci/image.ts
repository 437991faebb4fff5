import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImageSpec, LayerSpec } from '../component.ts';
import type { Arch } from '../build-context.ts';
import { BUILD_TIME, digestText, writeArchive, type FileDigest } from '../archive.ts';
import { tarEntries } from '../entries.ts';
import { withFolders } from '../../../util/tar.ts';
import { blobPath, INDEX, MANIFEST } from './layout.ts';

/** An image layer: the digest of the compressed tar, and of the tar itself (the diff ID). */
export interface Layer extends FileDigest {
  readonly tarSha256: string;
}

/** A written image: the digest of its index, and all its blobs. */
export interface WrittenImage {
  readonly names: readonly string[];
  readonly index: FileDigest;
  readonly layers: readonly Layer[];
  readonly blobs: readonly FileDigest[];
}

/** The inputs and the target directory for the images of one component. */
export interface ImageWork {
  readonly pieces: string;
  /** Target directory in OCI layout. */
  readonly layout: string;
  readonly version: string;
  readonly arch: Arch;
  readonly userland: Layer | undefined;
  /** Layers already written; images of one component share them. */
  readonly layers: Map<LayerSpec, Layer>;
  readonly signal?: AbortSignal;
}

/** Writes the layers, config, manifest and single-platform index of an image. */
export async function writeImage(image: ImageSpec, work: ImageWork): Promise<WrittenImage> {
  await mkdir(join(work.layout, 'blobs/sha256'), { recursive: true });
  const layers: Layer[] = [];
  for (const spec of image.layers) layers.push(await layerOf(spec, work));
  const config = await writeJson(configOf(image, layers, work), work);
  const manifest = await writeJson(manifestOf(config, layers), work);
  const platform = { architecture: work.arch, os: 'linux' };
  const index = await writeJson(
    { schemaVersion: 2, mediaType: INDEX, manifests: [{ ...descriptor(MANIFEST, manifest), platform }] },
    work,
  );
  return { names: image.names, index, layers, blobs: [config, manifest, index, ...layers] };
}

async function layerOf(spec: LayerSpec, work: ImageWork): Promise<Layer> {
  if (spec.type === 'userland') {
    if (!work.userland) throw new Error('the userland component must be built first');
    return work.userland;
  }
  const present = work.layers.get(spec);
  if (present) return present;
  const partial = join(work.layout, 'layer');
  const entries = withFolders(await tarEntries(spec.entries, work.pieces));
  const { sha256, size, tarSha256 } = await writeArchive(partial, entries, work.signal);
  await rename(partial, blobPath(work.layout, sha256));
  const layer = { sha256, size, tarSha256 };
  work.layers.set(spec, layer);
  return layer;
}

const configOf = ({ config }: ImageSpec, layers: readonly Layer[], { version, arch }: ImageWork) => ({
  created: CREATED,
  architecture: arch,
  os: 'linux',
  config: {
    Env: [
      'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      ...Object.entries(config.env ?? {}).map(([name, value]) => `${name}=${value}`),
    ],
    ...(config.entrypoint && { Entrypoint: config.entrypoint }),
    ...(config.command && { Cmd: config.command }),
    ...(config.user && { User: config.user }),
    ...(config.folder && { WorkingDir: config.folder }),
    // The tag may name a different patch version than the image contains.
    Labels: { 'org.opencontainers.image.version': version },
  },
  rootfs: { type: 'layers', diff_ids: layers.map(({ tarSha256 }) => `sha256:${tarSha256}`) },
  history: layers.map(() => ({ created: CREATED, created_by: 'kubexm lab mirror build' })),
});

const CREATED = new Date(BUILD_TIME * 1000).toISOString().replace('.000', '');

const manifestOf = (config: FileDigest, layers: readonly Layer[]) => ({
  schemaVersion: 2,
  mediaType: MANIFEST,
  config: descriptor('application/vnd.oci.image.config.v1+json', config),
  layers: layers.map((layer) => descriptor('application/vnd.oci.image.layer.v1.tar+gzip', layer)),
});

const descriptor = (mediaType: string, { sha256, size }: FileDigest) => ({
  mediaType,
  digest: `sha256:${sha256}`,
  size,
});

async function writeJson(value: object, { layout }: ImageWork): Promise<FileDigest> {
  const text = JSON.stringify(value);
  const digest = digestText(text);
  await writeFile(blobPath(layout, digest.sha256), text);
  return digest;
}
