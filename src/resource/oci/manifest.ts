import type { Arch } from '../../common/host.ts';
import type { Json } from '../../common/json.ts';
import { fieldOf, numberOf, textOf } from '../../util/json-fields.ts';

/** An OCI content descriptor. */
export interface Descriptor {
  readonly mediaType: string;
  /** Digest in the form "sha256:…". */
  readonly digest: string;
  readonly size: number;
}

/** An image manifest, or an index with one manifest per platform. */
export type Manifest =
  | { readonly type: 'image'; readonly config: Descriptor; readonly layers: readonly Descriptor[] }
  | {
      readonly type: 'index';
      readonly manifests: readonly (Descriptor & { readonly os: string; readonly arch: string })[];
    };

export const OCI_INDEX = 'application/vnd.oci.image.index.v1+json';

/** The Accept header for manifest requests. */
export const MANIFEST_TYPES = [
  OCI_INDEX,
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

/** Parses an image manifest or index. Returns undefined if the text is neither. */
export function parseManifest(text: string): Manifest | undefined {
  const json = parsed(text);
  const manifests = itemsOf(json, 'manifests');
  if (manifests.length > 0) {
    const all = manifests.flatMap((one) => {
      const platform = fieldOf(one, 'platform') ?? null;
      return descriptorsOf(one).map((descriptor) => ({
        ...descriptor,
        os: textOf(platform, 'os'),
        arch: textOf(platform, 'architecture'),
      }));
    });
    return { type: 'index', manifests: all };
  }
  const [config] = descriptorsOf(fieldOf(json, 'config') ?? null);
  return config && { type: 'image', config, layers: itemsOf(json, 'layers').flatMap(descriptorsOf) };
}

/** Returns the architecture in an image config. */
export const configArch = (text: string): string => textOf(parsed(text), 'architecture');

/** Returns an index with a subset of platforms. Its digest differs from the digest of the published index. */
export const indexText = (manifests: readonly (Descriptor & { readonly arch: Arch })[]): string =>
  JSON.stringify({
    schemaVersion: 2,
    mediaType: OCI_INDEX,
    manifests: manifests.map(({ mediaType, digest, size, arch }) => ({
      mediaType,
      digest,
      size,
      platform: { os: 'linux', architecture: arch },
    })),
  });

export const digestHex = (digest: string) => digest.slice('sha256:'.length);

export const isDigest = (text: string) => /^sha256:[0-9a-f]{64}$/.test(text);

/** Returns the hex digits of a SHA-256 digest, or an empty string if the digest is invalid. */
function descriptorsOf(json: Json): readonly Descriptor[] {
  const digest = textOf(json, 'digest');
  return isDigest(digest) ? [{ mediaType: textOf(json, 'mediaType'), digest, size: numberOf(json, 'size') }] : [];
}

function itemsOf(json: Json, name: string): readonly Json[] {
  const value = fieldOf(json, name);
  return Array.isArray(value) ? value : [];
}

function parsed(text: string): Json {
  try {
    const json: Json = JSON.parse(text);
    return json;
  } catch {
    return null;
  }
}
