import { join, resolve } from 'node:path';
import { kubexmHome } from '../../common/home.ts';

/** The paths inside a mirror directory. Published files are next to them, by host and path of their upstream URL. */
export interface MirrorPaths {
  readonly folder: string;
  /** Checksums of all published files and digests of all images, for `artifacts.checksums`. */
  readonly checksums: string;
  /** The OCI layout with all images. */
  readonly images: string;
  /** One record for each completed component. */
  readonly records: string;
  /** Build cache and temporary files; may be deleted at any time. */
  readonly build: string;
}

export const defaultMirrorFolder = () => join(kubexmHome(), 'mirror');

export function mirrorPaths(given: string): MirrorPaths {
  const folder = resolve(given);
  return Object.freeze({
    folder,
    checksums: join(folder, 'SHA256SUMS'),
    images: join(folder, 'images'),
    records: join(folder, 'records'),
    build: join(folder, 'build'),
  });
}
