import type { Arch, Role } from '../../common/host.ts';
import type { Content } from '../item.ts';

/** One release, in the words that publishers write their URLs with. */
export interface Release {
  /** With its v: v1.35.8 */
  readonly v: string;
  /** Without: 1.35.8 */
  readonly n: string;
  /** amd64, arm64 */
  readonly a: Arch;
  /** x86_64, aarch64 */
  readonly A: string;
}

/** A file of each release. */
export interface ReleaseFile {
  readonly name: string;
  readonly url: (release: Release) => string;
  /** Where its sum is told. */
  readonly sum?: (release: Release, url: string) => string;
  readonly content: Content;
  /** One file for all architectures. */
  readonly anyArch?: true;
}

/** An image of each release. */
export interface ReleaseImage {
  readonly name: string;
  readonly ref: (release: Pick<Release, 'v' | 'n'>) => string;
  /** Where other hosts need it than those that need the files. */
  readonly roles?: readonly Role[];
}

/** Something that has releases and that this cluster needs one of. */
export interface Component {
  /** What an override of its version calls it. */
  readonly name: string;
  readonly version: string;
  readonly roles: readonly Role[];
  /** Where its files go below the folder of the cluster, before version and architecture: "etcd". */
  readonly folder: string;
  readonly files?: readonly ReleaseFile[];
  readonly images?: readonly ReleaseImage[];
  /** Helm installs it, wherever its chart comes from. */
  readonly byHelm?: true;
  /** Said when it is chosen. */
  readonly note?: string;
}

/** The hosts that become nodes. */
export const NODES: readonly Role[] = ['master', 'worker'];

/** The sum stands beside the file, under its name and a suffix. */
export const beside = (suffix: string) => (_: Release, url: string) => `${url}${suffix}`;

/** The sums of all files of a release stand in one file. */
export const among = (file: string) => (_: Release, url: string) => url.replace(/[^/]*$/, file);

export const github = (repository: string, path: string) =>
  `https://github.com/${repository}/releases/download/${path}`;

/** An image whose tag is the version with its v. */
export const image = (name: string, repository: string, roles?: readonly Role[]): ReleaseImage => ({
  name,
  ref: ({ v }) => `${repository}:${v}`,
  ...(roles && { roles }),
});

export const chart = (name: string, url: (release: Release) => string): ReleaseFile => ({
  name: `${name}-chart`,
  url,
  content: 'gzip',
  anyArch: true,
});

export const manifest = (name: string, url: (release: Release) => string): ReleaseFile => ({
  name: `${name}-manifest`,
  url,
  content: 'yaml',
  anyArch: true,
});
