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
  /** Omitted if the file is the same for all architectures. */
  arch: arch().optional(),
  /** The publisher's URL, which identifies the file. */
  url: z.string(),
  sha256: sha256(),
  size: size(),
  /** Whether the checksum is from the cluster file. Such a checksum applies only to this cluster. */
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
  /** File name, such as "chrony_4.3-2+deb12u1_amd64.deb". */
  file: z.string().regex(/^[^/]+$/),
  sha256: sha256(),
  size: size(),
});

const system = z.strictObject({
  /** ID of the operating system, such as "debian-12". */
  id: z.string().regex(/^[a-z0-9._-]+$/),
  arch: arch(),
  /** Packages that hosts install explicitly. All other packages are dependencies. */
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
  /** Notes for the user, such as artifacts that the bundle does not contain. */
  notes: z.array(z.string()),
  /** Every file in the archive except the index and its signature. */
  content: z.array(content),
  /** Required content that only the base bundle contains. */
  elsewhere: z.array(content),
});

/** The contents of a bundle, with a checksum for every file. */
export type BundleIndex = z.infer<typeof schema>;
/** The packages for one operating system and architecture. */
export type SystemPackages = BundleIndex['systems'][number];
/** A file in a bundle. */
export type BundleContent = BundleIndex['content'][number];

/** Parses an index. Returns the problem if the index is invalid. */
export function parseIndex(text: string): BundleIndex | { readonly problem: string } {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    const first = error instanceof z.ZodError ? error.issues[0] : undefined;
    return { problem: first ? `${first.path.join('.')}: ${first.message}` : 'it is not valid JSON' };
  }
}

/** Parses a package record from the cache. Returns undefined if it is invalid. */
export const parsePackages = (json: Json): SystemPackages | undefined => system.safeParse(json).data;

export const indexText = (index: BundleIndex): string => `${JSON.stringify(index, null, 1)}\n`;

export const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex');

export const blobPath = (sha256: string): string => `blobs/sha256/${sha256}`;

/** Returns whether a file is a blob. Blobs are named after their checksum; other files, such as the SBOM, are not. */
export const isBlob = ({ path, sha256 }: BundleContent): boolean => path === blobPath(sha256);

export const INDEX = 'index.json';
export const SIGNATURE = 'signature.json';
export const SBOM = 'sbom.spdx.json';
