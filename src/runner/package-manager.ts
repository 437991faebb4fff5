import type { RunOptions } from './command.ts';

/** Options of a package transaction; `onLine` also receives messages about waiting for locks. */
export type PackageOptions = Pick<RunOptions, 'signal' | 'onLine'>;

/** Manages packages with apt, dnf or yum. `installed`, `dependencies`, `neededBy` and `leftovers` are read-only. */
export interface PackageManager {
  readonly type: 'apt' | 'dnf' | 'yum';
  /** Versions of the installed packages among `names`, or of all installed packages. */
  installed(names?: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Packages installed only as dependencies of others. */
  dependencies(): Promise<ReadonlySet<string>>;
  /** For each package, the names of the installed packages that need it. */
  neededBy(names: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Removed packages whose configuration files remain. */
  leftovers(): Promise<readonly string[]>;
  /** Installs in one transaction; waits for package manager locks and reports their holders. */
  install(names: readonly string[], options?: PackageOptions): Promise<void>;
  /** Marks packages as installed only as dependencies. */
  asDependencies(names: readonly string[]): Promise<void>;
  /** Removes packages with their configuration. */
  remove(names: readonly string[], options?: PackageOptions): Promise<void>;
  /** Removes packages and leaves their configuration, for those that had left it before. */
  removeKeepingConfiguration(names: readonly string[], options?: PackageOptions): Promise<void>;
}
