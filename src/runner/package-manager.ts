/** Installs packages with what the host has: apt, dnf or yum. */
export interface PackageManager {
  readonly type: 'apt' | 'dnf' | 'yum';
  /** Which of these are installed, with their versions; looks only. */
  installed(names: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** In one transaction; waits for the locks and names who holds them. */
  install(names: readonly string[], signal?: AbortSignal): Promise<void>;
  remove(names: readonly string[], signal?: AbortSignal): Promise<void>;
}
