import type { RunOptions } from './runner.ts';

/** How a transaction can be stopped, and who hears what it prints and whom it waits for. */
export type PackageOptions = Pick<RunOptions, 'signal' | 'onLine'>;

/** Installs packages with what the host has: apt, dnf or yum. */
export interface PackageManager {
  readonly type: 'apt' | 'dnf' | 'yum';
  /** Which of these are installed, or which at all, with their versions; looks only. */
  installed(names?: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Those that are installed only because others need them; looks only. */
  dependencies(): Promise<ReadonlySet<string>>;
  /** For each of these, the installed packages that need it, by name; looks only. */
  neededBy(names: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Packages that were removed and left their configuration; looks only. */
  leftovers(): Promise<readonly string[]>;
  /** In one transaction; waits for the locks and names who holds them. */
  install(names: readonly string[], options?: PackageOptions): Promise<void>;
  /** Says that they are there only because others need them. */
  asDependencies(names: readonly string[]): Promise<void>;
  /** With their configuration. */
  remove(names: readonly string[], options?: PackageOptions): Promise<void>;
  /** Their configuration stays, for packages that had left it before. */
  removeKeepingConfiguration(names: readonly string[], options?: PackageOptions): Promise<void>;
}
