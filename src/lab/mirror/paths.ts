import { join, resolve } from 'node:path';
import { kubexmHome } from '../../common/home.ts';

/** Where the parts of a mirror are. Files of the internet are beside these, by host and path. */
export interface MirrorPaths {
  readonly folder: string;
  /** Sums of all files by host and path, for `artifacts.checksums`. */
  readonly sums: string;
  /** All images: one OCI layout. */
  readonly images: string;
  /** What is finished, one record for each component. */
  readonly records: string;
  /** What a build needs and what it leaves for the next one; may be removed at any time. */
  readonly build: string;
}

export const defaultMirrorFolder = () => join(kubexmHome(), 'mirror');

export function mirrorPaths(given: string): MirrorPaths {
  const folder = resolve(given);
  return Object.freeze({
    folder,
    sums: join(folder, 'SHA256SUMS'),
    images: join(folder, 'images'),
    records: join(folder, 'records'),
    build: join(folder, 'build'),
  });
}
