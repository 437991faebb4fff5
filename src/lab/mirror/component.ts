import type { DebianTree } from './debian/tree.ts';
import type { GoBuild } from './go/build.ts';

/** One thing the mirror holds at one version: how its pieces are made, and what becomes of them. */
export interface Component {
  readonly name: string;
  readonly version: string;
  readonly source: Source;
  readonly files: readonly Publication[];
  readonly images: readonly ImageSpec[];
}

/** How the pieces of a component, plain files in a folder, come to be when no seed holds them. */
export type Source =
  | { readonly type: 'go'; readonly builds: readonly GoBuild[] }
  | { readonly type: 'c'; readonly program: string; readonly code: string }
  | ({ readonly type: 'debian' } & DebianTree)
  /** Pieces of several sources in one folder. */
  | { readonly type: 'several'; readonly sources: readonly Source[] };

/** A file as its publisher offers it, and where the publisher says its sum. */
export interface Publication {
  /** Host and path, without the scheme. */
  readonly url: string;
  readonly content:
    | { readonly type: 'piece'; readonly piece: string }
    | { readonly type: 'text'; readonly text: string }
    | { readonly type: 'archive'; readonly entries: readonly PieceEntry[] };
  readonly sums?: { readonly url: string; readonly style: 'bare' | 'named' };
}

/** What an archive or a layer holds. Paths are without a leading slash. */
export type PieceEntry =
  | { readonly type: 'piece'; readonly path: string; readonly piece: string; readonly mode: number }
  | { readonly type: 'text'; readonly path: string; readonly text: string; readonly mode: number }
  | { readonly type: 'folder'; readonly path: string; readonly mode: number }
  | { readonly type: 'link'; readonly path: string; readonly to: string }
  /** Every piece, as it lies there. */
  | { readonly type: 'all' };

/** What a layer of an image is made of; `userland` is the layer that images share which need a shell and iptables. */
export type LayerSpec =
  { readonly type: 'entries'; readonly entries: readonly PieceEntry[] } | { readonly type: 'userland' };

/** An image, under all names that stand for it. */
export interface ImageSpec {
  readonly names: readonly string[];
  readonly layers: readonly LayerSpec[];
  readonly config: ImageConfig;
}

/** How a container of an image starts. */
export interface ImageConfig {
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly user?: string;
  readonly folder?: string;
}

export const idOf = ({ name, version }: Pick<Component, 'name' | 'version'>) => `${name}-${version}`;

/** A program, as archives and layers carry it. */
export const program = (path: string, piece: string): PieceEntry => ({ type: 'piece', path, piece, mode: 0o755 });

/** Sums beside the file: the hex alone, or as `sha256sum` prints it. */
export const sidecar = (url: string, suffix: string, style: 'bare' | 'named') => ({ url: url + suffix, style });
