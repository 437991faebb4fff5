import type { Arch, Role } from '../../common/host.ts';
import type { FileFormat } from '../item.ts';

/** The parts of download URLs that depend on the release and architecture. */
export interface Release {
  /** v1.35.8 */
  readonly tag: string;
  /** 1.35.8 */
  readonly version: string;
  /** amd64, arm64 */
  readonly arch: Arch;
  /** x86_64, aarch64 */
  readonly machine: string;
}

/** A file that every release has. */
export interface ReleaseFile {
  readonly name: string;
  readonly url: (release: Release) => string;
  /** URL of the checksum file. */
  readonly checksum?: (release: Release, url: string) => string;
  readonly format: FileFormat;
  /** One file for all architectures. */
  readonly anyArch?: true;
}

/** An image that every release has. */
export interface ReleaseImage {
  readonly name: string;
  readonly ref: (release: Pick<Release, 'tag' | 'version'>) => string;
  /** Hosts that need it, if they are not those of the component. */
  readonly roles?: readonly Role[];
}

/** A component of the cluster, in one version. */
export interface Component {
  /** Name in `artifacts.overrides`. */
  readonly name: string;
  readonly version: string;
  readonly roles: readonly Role[];
  /** Folder of its files below the cluster folder, above version and architecture: "etcd". */
  readonly folder: string;
  readonly files?: readonly ReleaseFile[];
  readonly images?: readonly ReleaseImage[];
  /** Installed by Helm even if its chart is not among `files`. */
  readonly installedByHelm?: true;
  /** Warning shown when the component is used. */
  readonly note?: string;
}

/** Roles of hosts that become Kubernetes nodes. */
export const NODES: readonly Role[] = ['master', 'worker'];

/** The checksum is at the URL of the file plus a suffix. */
export const withSuffix = (suffix: string) => (_: Release, url: string) => `${url}${suffix}`;

/** The checksums of all files are in one file next to them. */
export const listedIn = (file: string) => (_: Release, url: string) => url.replace(/[^/]*$/, file);

export const github = (repository: string, path: string) =>
  `https://github.com/${repository}/releases/download/${path}`;

/** An image whose tag is the version with a leading v. */
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
