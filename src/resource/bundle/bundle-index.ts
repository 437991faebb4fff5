import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ARCHES } from '../../common/host.ts';
import type { Json } from '../../common/json.ts';

const sha256 = () => z.string().regex(/^[0-9a-f]{64}$/);
const size = () => z.int().nonnegative();
const arch = () => z.enum(ARCHES);

const file = z.strictObject({
  name: z.string(),
  version: z.string(),
  /** Omitted when one file serves all architectures. */
  arch: arch().optional(),
  /** The publisher's URL, by which the file is looked up. */
  url: z.string(),
  sha256: sha256(),
  size: size(),
  /** The checksum is from the cluster file and applies to no other cluster. */
  own: z.literal(true).optional(),
});

const image = z.strictObject({
  ref: z.string(),
  /** Digest of the index or manifest that the reference resolves to. */
  digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  manifests: z.array(
    z.strictObject({
      mediaType: z.string(),
      digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
      size: size(),
      arch: arch(),
    }),
  ),
  /** Manifests, configs and layers. */
  blobs: z.array(sha256()),
});

const systemPackage = z.strictObject({
  name: z.string(),
  version: z.string(),
  /** "chrony_4.3-2+deb12u1_amd64.deb" */
  file: z.string().regex(/^[^/]+$/),
  sha256: sha256(),
  size: size(),
});

const system = z.strictObject({
  /** "debian-12" */
  id: z.string().regex(/^[a-z0-9._-]+$/),
  arch: arch(),
  /** Packages that hosts install. The others are their dependencies. */
  wanted: z.array(z.string()),
  packages: z.array(systemPackage),
});

const content = z.strictObject({ path: z.string(), sha256: sha256(), size: size() });

const schema = z.strictObject({
  format: z.literal(1),
  cluster: z.string(),
  kubernetes: z.string(),
  arches: z.array(arch()),
  /** The base bundle of a delta bundle. */
  base: z.strictObject({ index: sha256(), cluster: z.string(), kubernetes: z.string() }).optional(),
  files: z.array(file),
  images: z.array(image),
  systems: z.array(system),
  /** Notes for the user, such as what the bundle does not contain. */
  notes: z.array(z.string()),
  /** Every file in the archive except the index and its signature. */
  content: z.array(content),
  /** Content that is needed but only contained in the base bundle. */
  elsewhere: z.array(content),
});

/** The contents of a bundle, with a checksum for every file. */
export type BundleIndex = z.infer<typeof schema>;
/** Packages of one operating system for one architecture. */
export type SystemPackages = BundleIndex['systems'][number];
/** A file in a bundle. */
export type BundleContent = BundleIndex['content'][number];

/** Parses an index, or returns what is wrong with it. */
export function parseIndex(text: string): BundleIndex | { readonly problem: string } {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    const first = error instanceof z.ZodError ? error.issues[0] : undefined;
    return { problem: first ? `${first.path.join('.')}: ${first.message}` : 'it is not valid JSON' };
  }
}

/** Parses a package record of the cache; undefined if it is invalid. */
export const parsePackages = (json: Json): SystemPackages | undefined => system.safeParse(json).data;

export const indexText = (index: BundleIndex): string => `${JSON.stringify(index, null, 1)}\n`;

export const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex');

export const blobPath = (sha256: string): string => `blobs/sha256/${sha256}`;

/** Blobs are named by their checksum; other files, such as the SBOM, are not. */
export const isBlob = ({ path, sha256 }: BundleContent): boolean => path === blobPath(sha256);

export const INDEX = 'index.json';
export const SIGNATURE = 'signature.json';
export const SBOM = 'sbom.spdx.json';
