/** Determines which recorded checksums and digests a run accepts in addition to those from publishers. */
export interface TrustPolicy {
  /** The cluster name. Records from a bundle apply only to the cluster of that bundle. */
  readonly cluster: string;
  /** Whether records from all bundles apply, because publishers cannot be contacted. */
  readonly offline: boolean;
  /** Whether records from mirrors apply. */
  readonly trustMirror: boolean;
}

/**
 * Returns whether a run accepts a recorded checksum or digest of this origin. Otherwise it is fetched again from the
 * publisher.
 */
export function isTrustedOrigin(from: string, { cluster, offline, trustMirror }: TrustPolicy): boolean {
  if (from.startsWith(MIRROR)) return trustMirror;
  if (from.startsWith(BUNDLE)) return offline || from === bundleOrigin(cluster);
  return !isUserOrigin(from);
}

// These texts are stored in the cache and must not change.
const MIRROR = 'mirror ';
const BUNDLE = 'bundle of ';
const CHECKSUMS = 'checksums ';

/** Returns the origin of a checksum that only a mirror provided. */
export const mirrorOrigin = (host: string): string => `${MIRROR}${host}`;

export const bundleOrigin = (cluster: string): string => `${BUNDLE}${cluster}`;

/** Returns the origin of a digest in the user's checksum file. */
export const checksumsOrigin = (file: string): string => `${CHECKSUMS}${file}`;

/** The origin of a digest in the cluster file. */
export const OVERRIDE = 'override';

/** The origin of a digest that is part of an image reference. */
export const REFERENCE = 'image reference';

/** The origin of a digest in the built-in table. */
export const BUILT_IN = 'kubexm';

/**
 * Returns whether a digest was supplied by the user. Such digests are trusted only for the cluster they were set for.
 */
const isUserOrigin = (from: string) => from === OVERRIDE || from === REFERENCE || from.startsWith(CHECKSUMS);
