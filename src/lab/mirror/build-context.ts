import type { MirrorPaths } from './paths.ts';

/** The inputs shared by all build steps of one component. */
export interface BuildContext {
  readonly paths: MirrorPaths;
  readonly arch: Arch;
  /** Reports the current activity. */
  readonly report: (detail: string) => void;
  /** Called for each package that the Go compiler finishes. */
  readonly onPackage?: () => void;
  readonly signal?: AbortSignal;
}

/** Architectures as named by Go and image registries. A mirror is built for the architecture of this computer. */
export type Arch = 'amd64' | 'arm64';

export const localArch = (): Arch => (process.arch === 'arm64' ? 'arm64' : 'amd64');
