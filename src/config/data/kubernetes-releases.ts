/** A Kubernetes minor release and its upstream end-of-life date. */
export interface KubernetesRelease {
  readonly minor: number;
  readonly endOfLife: string;
  /** The newest patch known to kubexm; later patches are accepted. */
  readonly lastPatch: number;
}

const release = (minor: number, endOfLife: string, lastPatch: number): KubernetesRelease => ({ minor, endOfLife, lastPatch });

/** The supported releases, starting with 1.24, which removed dockershim. */
export const kubernetesReleases: readonly KubernetesRelease[] = [
  release(24, '2023-07-28', 17),
  release(25, '2023-10-28', 16),
  release(26, '2024-02-28', 15),
  release(27, '2024-07-16', 16),
  release(28, '2024-10-22', 15),
  release(29, '2025-02-28', 15),
  release(30, '2025-07-15', 14),
  release(31, '2025-11-11', 14),
  release(32, '2026-02-28', 13),
  release(33, '2026-06-28', 13),
  release(34, '2026-10-27', 11),
  release(35, '2027-02-28', 8),
  release(36, '2027-06-28', 4),
];

/** The default version: the second-newest minor release, as in most distributions. */
export const DEFAULT_VERSION = '1.35.8';
