import type { DebianTree } from './debian/tree.ts';
import type { GoBuild } from './go/build.ts';

/**
 * One version of a component in the mirror: how to build its pieces, and which files and images to publish.
 * The recipe hash covers this object, so renaming a field or changing an embedded text rebuilds the component.
 */
export interface Component {
  readonly name: string;
  readonly version: string;
  readonly source: Source;
  /** Pieces that a seed does not contain; built in either case. */
  readonly beside?: Source;
  readonly files: readonly Publication[];
  readonly images: readonly ImageSpec[];
}

/** How to build the pieces of a component (plain files in a directory) if the seed does not contain them. */
export type Source =
  | { readonly type: 'go'; readonly builds: readonly GoBuild[] }
  | { readonly type: 'c'; readonly program: string; readonly code: string }
  | ({ readonly type: 'debian' } & DebianTree)
  /** Combines the pieces of several sources. */
  | { readonly type: 'several'; readonly sources: readonly Source[] };

/** A file as published upstream, and the checksum file that upstream publishes with it. */
export interface Publication {
  /** Host and path, without the scheme. */
  readonly url: string;
  readonly content:
    | { readonly type: 'piece'; readonly piece: string }
    | { readonly type: 'text'; readonly text: string }
    | { readonly type: 'archive'; readonly entries: readonly PieceEntry[] };
  readonly sums?: { readonly url: string; readonly style: 'bare' | 'named' };
}

/** An entry of an archive or image layer. Paths have no leading slash. */
export type PieceEntry =
  | { readonly type: 'piece'; readonly path: string; readonly piece: string; readonly mode: number }
  | { readonly type: 'text'; readonly path: string; readonly text: string; readonly mode: number }
  | { readonly type: 'folder'; readonly path: string; readonly mode: number }
  | { readonly type: 'link'; readonly path: string; readonly to: string }
  /** A directory of pieces; all files get this mode, because Go modules do not keep modes. */
  | { readonly type: 'tree'; readonly path: string; readonly piece: string; readonly mode: number }
  /** All pieces, with their own paths and modes. */
  | { readonly type: 'all' };

/** An image layer; `userland` is the shared layer of images that need a shell or iptables. */
export type LayerSpec =
  { readonly type: 'entries'; readonly entries: readonly PieceEntry[] } | { readonly type: 'userland' };

/** An image and all its names. */
export interface ImageSpec {
  readonly names: readonly string[];
  readonly layers: readonly LayerSpec[];
  readonly config: ImageConfig;
}

/** How a container starts from the image. */
export interface ImageConfig {
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly user?: string;
  readonly folder?: string;
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>;
}

export const idOf = ({ name, version }: Pick<Component, 'name' | 'version'>) => `${name}-${version}`;

/** An executable piece in an archive or layer. */
export const program = (path: string, piece: string): PieceEntry => ({ type: 'piece', path, piece, mode: 0o755 });

/** A checksum file next to the file: the hex digest alone ("bare"), or `sha256sum` output ("named"). */
export const sidecar = (url: string, suffix: string, style: 'bare' | 'named') => ({ url: url + suffix, style });
