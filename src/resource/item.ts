import type { Arch, Role } from '../common/host.ts';

/** What the first bytes of a file must be. */
export type Content = 'elf' | 'gzip' | 'xz' | 'yaml';

/** A file that some hosts of a cluster need. */
export interface FileItem {
  readonly type: 'file';
  /** What overrides call it: "kubelet". */
  readonly name: string;
  readonly version: string;
  /** Undefined when it is the same for all. */
  readonly arch: Arch | undefined;
  /** Where its publisher has it. */
  readonly url: string;
  /** Where its publisher tells its sum, if anywhere. */
  readonly sumUrl: string | undefined;
  /** The sum that the cluster file gives. */
  readonly sha256: string | undefined;
  readonly content: Content;
  /** Hosts that need it. */
  readonly roles: readonly Role[];
  /** Where it is put, below the folder of the cluster. */
  readonly path: string;
}

/** A container image that some hosts of a cluster need. */
export interface ImageItem {
  readonly type: 'image';
  readonly name: string;
  readonly version: string;
  readonly arches: readonly Arch[];
  /** "registry.k8s.io/pause:3.10.1" */
  readonly ref: string;
  /** The digest that the cluster file gives. */
  readonly sha256: string | undefined;
  readonly roles: readonly Role[];
}

/** All that a cluster needs from elsewhere. */
export interface Catalog {
  readonly files: readonly FileItem[];
  readonly images: readonly ImageItem[];
  /** What a person should know about it. */
  readonly warnings: readonly string[];
}

/** A file as people name it: "kubelet 1.35.8 amd64". */
export const fileTitle = ({
  name,
  version,
  arch,
}: Pick<FileItem, 'name' | 'version'> & { readonly arch?: Arch | undefined }): string =>
  [name, version, arch].filter(Boolean).join(' ');
