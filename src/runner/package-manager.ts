import type { RunOptions } from './command.ts';

/** Options for a package transaction. `onLine` also receives messages about waiting for locks. */
export type PackageOptions = Pick<RunOptions, 'signal' | 'onLine'>;

/** Manages packages with apt, dnf or yum. `installed`, `dependencies`, `neededBy` and `leftovers` are read-only. */
export interface PackageManager {
  readonly type: 'apt' | 'dnf' | 'yum';
  /** Returns the versions of the installed packages in `names`, or of all installed packages. */
  installed(names?: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Returns packages that were installed only as dependencies of other packages. */
  dependencies(): Promise<ReadonlySet<string>>;
  /** Returns, for each package, the names of the installed packages that need it. */
  neededBy(names: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Returns removed packages whose configuration files remain. */
  leftovers(): Promise<readonly string[]>;
  /** Installs packages in one transaction. Waits for package manager locks and reports their holders. */
  install(names: readonly string[], options?: PackageOptions): Promise<void>;
  /** Marks packages as installed only as dependencies. */
  asDependencies(names: readonly string[]): Promise<void>;
  /** Removes packages with their configuration. */
  remove(names: readonly string[], options?: PackageOptions): Promise<void>;
  /** Removes packages but keeps their configuration files, for packages that were in this state before. */
  removeKeepingConfiguration(names: readonly string[], options?: PackageOptions): Promise<void>;
}
