import type { Arch, Role } from '../common/host.ts';

/** File formats that downloads are checked against. */
export type FileFormat = 'elf' | 'gzip' | 'xz' | 'yaml';

/** A file that some hosts in a cluster need. */
export interface FileItem {
  readonly type: 'file';
  /** Name in `artifacts.overrides`, such as "kubelet". */
  readonly name: string;
  readonly version: string;
  /** Undefined if the file is the same for all architectures. */
  readonly arch: Arch | undefined;
  /** The publisher's URL. */
  readonly url: string;
  /** The publisher's checksum file, if there is one. */
  readonly checksumUrl: string | undefined;
  /** The checksum set in the cluster file. */
  readonly sha256: string | undefined;
  readonly format: FileFormat;
  /** Roles of the hosts that need the file. */
  readonly roles: readonly Role[];
  /** Path relative to the cluster directory. */
  readonly path: string;
}

/** A container image that some hosts in a cluster need. */
export interface ImageItem {
  readonly type: 'image';
  readonly name: string;
  readonly version: string;
  readonly arches: readonly Arch[];
  /** Image reference, such as "registry.k8s.io/pause:3.10.1". */
  readonly ref: string;
  /** The digest set in the cluster file. */
  readonly sha256: string | undefined;
  readonly roles: readonly Role[];
}

/** All files and images that a cluster needs. */
export interface Catalog {
  readonly files: readonly FileItem[];
  readonly images: readonly ImageItem[];
  readonly warnings: readonly string[];
}

/** Returns the display name of a file, such as "kubelet 1.35.8 amd64". */
export const fileTitle = ({
  name,
  version,
  arch,
}: Pick<FileItem, 'name' | 'version'> & { readonly arch?: Arch | undefined }): string =>
  [name, version, arch].filter(Boolean).join(' ');
