import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ARCHES } from '../../common/host.ts';
import type { Json } from '../../common/json.ts';

const sum = () => z.string().regex(/^[0-9a-f]{64}$/);
const size = () => z.int().nonnegative();
const arch = () => z.enum(ARCHES);

const file = z.strictObject({
  name: z.string(),
  version: z.string(),
  /** Not there when it is the same for all. */
  arch: arch().optional(),
  /** Where its publisher has it: cluster files ask for it by this. */
  url: z.string(),
  sha256: sum(),
  size: size(),
  /** Its sum is the word of the cluster file, which counts for no other cluster. */
  own: z.literal(true).optional(),
});

const image = z.strictObject({
  ref: z.string(),
  /** Of what the name stands for: an index, or a manifest. */
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
  blobs: z.array(sum()),
});

const systemPackage = z.strictObject({
  name: z.string(),
  version: z.string(),
  /** "chrony_4.3-2+deb12u1_amd64.deb" */
  file: z.string().regex(/^[^/]+$/),
  sha256: sum(),
  size: size(),
});

const system = z.strictObject({
  /** "debian-12" */
  id: z.string().regex(/^[a-z0-9._-]+$/),
  arch: arch(),
  /** Those that hosts install; the others are there because these need them. */
  wanted: z.array(z.string()),
  packages: z.array(systemPackage),
});

const content = z.strictObject({ path: z.string(), sha256: sum(), size: size() });

const schema = z.strictObject({
  format: z.literal(1),
  cluster: z.string(),
  kubernetes: z.string(),
  arches: z.array(arch()),
  /** The bundle that has the rest. */
  base: z.strictObject({ index: sum(), cluster: z.string(), kubernetes: z.string() }).optional(),
  files: z.array(file),
  images: z.array(image),
  systems: z.array(system),
  /** What a person should know, such as what is not in it. */
  notes: z.array(z.string()),
  /** Every file of the archive, but for this one and the signature of it. */
  content: z.array(content),
  /** What it needs besides, which the base has. */
  elsewhere: z.array(content),
});

/** What a bundle holds, and what each file of it must be. */
export type BundleIndex = z.infer<typeof schema>;
/** Packages of one system for one architecture. */
export type SystemPackages = BundleIndex['systems'][number];
/** A file of a bundle. */
export type BundleContent = BundleIndex['content'][number];

/** The index that a text is; what is wrong with it otherwise. */
export function parseIndex(text: string): BundleIndex | { readonly problem: string } {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    const first = error instanceof z.ZodError ? error.issues[0] : undefined;
    return { problem: first ? `${first.path.join('.')}: ${first.message}` : 'it is no JSON' };
  }
}

/** The packages that a record of the cache is; undefined when it is none. */
export const parsePackages = (json: Json): SystemPackages | undefined => system.safeParse(json).data;

export const indexText = (index: BundleIndex): string => `${JSON.stringify(index, null, 1)}\n`;

export const sumOfText = (text: string): string => createHash('sha256').update(text).digest('hex');

export const blobPath = (sha256: string): string => `blobs/sha256/${sha256}`;

/** Whether it is kept by its content, not by its name. */
export const isBlob = ({ path, sha256 }: BundleContent): boolean => path === blobPath(sha256);

export const INDEX = 'index.json';
export const SIGNATURE = 'signature.json';
export const SBOM = 'sbom.spdx.json';
