/** Which recorded checksums and digests a run accepts besides those of publishers. */
export interface TrustPolicy {
  /** The name of the cluster: a record from a bundle applies only to the cluster of that bundle. */
  readonly cluster: string;
  /** Records of all bundles apply, because there is no publisher to ask. */
  readonly offline: boolean;
  /** Records of mirrors apply. */
  readonly trustMirror: boolean;
}

/** Whether a checksum or digest of this origin applies to a run. Other runs ask the publisher again. */
export function isTrustedOrigin(from: string, { cluster, offline, trustMirror }: TrustPolicy): boolean {
  if (from.startsWith(MIRROR)) return trustMirror;
  if (from.startsWith(BUNDLE)) return offline || from === bundleOrigin(cluster);
  return !isUserOrigin(from);
}

// The texts are stored in the cache and must not change.
const MIRROR = 'mirror ';
const BUNDLE = 'bundle of ';
const CHECKSUMS = 'checksums ';

/** The origin of a checksum that only the mirror itself provided. */
export const mirrorOrigin = (host: string): string => `${MIRROR}${host}`;

export const bundleOrigin = (cluster: string): string => `${BUNDLE}${cluster}`;

/** The origin of a digest in the user's checksum file. */
export const checksumsOrigin = (file: string): string => `${CHECKSUMS}${file}`;

/** The origin of a digest in the cluster file. */
export const OVERRIDE = 'override';

/** The origin of a digest that is part of an image reference. */
export const REFERENCE = 'image reference';

/** The origin of a digest in the table of kubexm. */
export const BUILT_IN = 'kubexm';

/** A digest that a user set for one cluster says nothing about others. */
const isUserOrigin = (from: string) => from === OVERRIDE || from === REFERENCE || from.startsWith(CHECKSUMS);
