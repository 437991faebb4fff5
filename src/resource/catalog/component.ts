import type { Arch, Role } from '../../common/host.ts';
import type { FileFormat } from '../item.ts';

/** Values that download URLs depend on. */
export interface Release {
  /** Version with a leading v, such as v1.35.8. */
  readonly tag: string;
  /** Version, such as 1.35.8. */
  readonly version: string;
  /** Kubernetes architecture name: amd64 or arm64. */
  readonly arch: Arch;
  /** Linux architecture name: x86_64 or aarch64. */
  readonly machine: string;
}

/** A file that is part of every release. */
export interface ReleaseFile {
  readonly name: string;
  readonly url: (release: Release) => string;
  /** Returns the URL of the checksum file. */
  readonly checksum?: (release: Release, url: string) => string;
  readonly format: FileFormat;
  /** Whether the file is the same for all architectures. */
  readonly anyArch?: true;
}

/** An image that is part of every release. */
export interface ReleaseImage {
  readonly name: string;
  readonly ref: (release: Pick<Release, 'tag' | 'version'>) => string;
  /** Roles of the hosts that need the image. Defaults to the roles of the component. */
  readonly roles?: readonly Role[];
}

/** A cluster component in one version. */
export interface Component {
  /** Name in `artifacts.overrides`. */
  readonly name: string;
  readonly version: string;
  readonly roles: readonly Role[];
  /** Folder name in CLUSTER/FOLDER/VERSION/ARCH, such as "etcd". */
  readonly folder: string;
  readonly files?: readonly ReleaseFile[];
  readonly images?: readonly ReleaseImage[];
  /** Whether Helm installs the component even if its chart is not in `files`. */
  readonly installedByHelm?: true;
  /** A note for users of the component. */
  readonly note?: string;
}

/** Roles of hosts that become Kubernetes nodes. */
export const NODES: readonly Role[] = ['master', 'worker'];

/** Returns the URL of a file plus a suffix, where its checksum is published. */
export const withSuffix = (suffix: string) => (_: Release, url: string) => `${url}${suffix}`;

/** Returns the URL of a checksum file for all files in the same folder. */
export const listedIn = (file: string) => (_: Release, url: string) => url.replace(/[^/]*$/, file);

export const github = (repository: string, path: string) =>
  `https://github.com/${repository}/releases/download/${path}`;

/** Returns an image whose tag is the version with a leading v. */
export const image = (name: string, repository: string, roles?: readonly Role[]): ReleaseImage => ({
  name,
  ref: ({ tag }) => `${repository}:${tag}`,
  ...(roles && { roles }),
});

export const chart = (name: string, url: (release: Release) => string): ReleaseFile => ({
  name: `${name}-chart`,
  url,
  format: 'gzip',
  anyArch: true,
});

export const manifest = (name: string, url: (release: Release) => string): ReleaseFile => ({
  name: `${name}-manifest`,
  url,
  format: 'yaml',
  anyArch: true,
});
