import type { MirrorPaths } from './paths.ts';

/** All that the making of one component works with. */
export interface Making {
  readonly paths: MirrorPaths;
  /** As Go and image registries call it. */
  readonly arch: Arch;
  /** Tells what goes on at this moment. */
  readonly say: (detail: string) => void;
  readonly signal?: AbortSignal;
}

/** Processors that a mirror can be for: the one of this computer. */
export type Arch = 'amd64' | 'arm64';

export const archHere = (): Arch => (process.arch === 'arm64' ? 'arm64' : 'amd64');
