import type { Arch } from '../../common/host.ts';
import type { Json } from '../../common/json.ts';
import { fieldOf, numberOf, textOf } from '../../util/json-fields.ts';

/** Content of an image, by its digest. */
export interface Descriptor {
  readonly mediaType: string;
  /** "sha256:…" */
  readonly digest: string;
  readonly size: number;
}

/** What a manifest says: one image, or one for each platform. */
export type Manifest =
  | { readonly type: 'image'; readonly config: Descriptor; readonly layers: readonly Descriptor[] }
  | {
      readonly type: 'index';
      readonly manifests: readonly (Descriptor & { readonly os: string; readonly arch: string })[];
    };

export const OCI_INDEX = 'application/vnd.oci.image.index.v1+json';

/** What a registry may answer with. */
export const ACCEPTED = [
  OCI_INDEX,
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

/** Undefined for what is no manifest of an image. */
export function parseManifest(text: string): Manifest | undefined {
  const json = parsed(text);
  const manifests = itemsOf(json, 'manifests');
  if (manifests.length > 0) {
    const all = manifests.flatMap((one) => {
      const platform = fieldOf(one, 'platform') ?? null;
      return descriptorsOf(one).map((it) => ({
        ...it,
        os: textOf(platform, 'os'),
        arch: textOf(platform, 'architecture'),
      }));
    });
    return { type: 'index', manifests: all };
  }
  const [config] = descriptorsOf(fieldOf(json, 'config') ?? null);
  return config && { type: 'image', config, layers: itemsOf(json, 'layers').flatMap(descriptorsOf) };
}

/** The architecture that a config of an image tells. */
export const configArch = (text: string): string => textOf(parsed(text), 'architecture');

/** An index of some platforms only: its digest is its own. */
export const indexOf = (manifests: readonly (Descriptor & { readonly arch: Arch })[]): string =>
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

export const hexOf = (digest: string) => digest.slice('sha256:'.length);

export const isDigest = (text: string) => /^sha256:[0-9a-f]{64}$/.test(text);

/** Without a digest that we can check there is nothing to describe. */
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
