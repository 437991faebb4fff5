import { availableParallelism } from 'node:os';
import { localArch } from './build-context.ts';
import type { Component } from './component.ts';
import { findSeedArchive } from './seed.ts';

/** The expected cost of building one component. */
export interface BuildCost {
  readonly cpuSeconds: number;
  /** How many packages `go build -v` reports. */
  readonly packages: number;
}

/** The cost of building a component on this computer: low for a seed archive or Debian packages. */
export async function buildCost(component: Component): Promise<BuildCost> {
  if (await findSeedArchive(component, localArch())) return FROM_SEED;
  if (component.source.type === 'debian') return FROM_DEBIAN;
  return FROM_SOURCE[component.name] ?? OTHER;
}

const FROM_SEED: BuildCost = { cpuSeconds: 6, packages: 0 };
const FROM_DEBIAN: BuildCost = { cpuSeconds: 8, packages: 0 };
const OTHER: BuildCost = { cpuSeconds: 120, packages: 600 };

/** Measured from an empty compiler cache on two cores of a cloud VM; crictl includes the standard library. */
const FROM_SOURCE: Readonly<Record<string, BuildCost>> = {
  pause: { cpuSeconds: 1, packages: 0 },
  crictl: { cpuSeconds: 40, packages: 308 },
  'cni-plugins': { cpuSeconds: 27, packages: 137 },
  etcd: { cpuSeconds: 58, packages: 386 },
  containerd: { cpuSeconds: 107, packages: 735 },
  flannel: { cpuSeconds: 118, packages: 496 },
  coredns: { cpuSeconds: 97, packages: 505 },
  calico: { cpuSeconds: 400, packages: 2000 },
  kubernetes: { cpuSeconds: 568, packages: 2618 },
};

/** Tracks how much of a build is done and predicts how long the rest takes. */
export interface Estimate {
  /** Records which fraction of a component, from 0 to 1, is built. */
  advance(index: number, part: number): void;
  remainingSeconds(): number;
}

/** Starts an estimate from typical costs; the observed speed gains weight as the build proceeds. */
export function startEstimate(
  costs: readonly BuildCost[],
  cpus = availableParallelism(),
  now = () => performance.now() / 1000,
): Estimate {
  const start = now();
  const parts = costs.map(() => 0);
  const total = costs.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
  const typicalSpeed = 0.9 * Math.min(cpus, MAX_USEFUL_CPUS);
  return {
    advance: (index, part) => (parts[index] = Math.max(parts[index] ?? 0, Math.min(part, 1))),
    remainingSeconds: () => {
      const done = costs.reduce((sum, { cpuSeconds }, index) => sum + cpuSeconds * (parts[index] ?? 0), 0);
      const speed = (done + typicalSpeed * TYPICAL_SECONDS) / (now() - start + TYPICAL_SECONDS);
      return (total - done) / speed;
    },
  };
}

// Compiling one component does not use more.
const MAX_USEFUL_CPUS = 6;

/** Until a build has run this long, the typical speed counts more than the observed one. */
const TYPICAL_SECONDS = 60;

/** Formats seconds as an estimate: "less than 1 min", "about 12 min". */
export const approximately = (seconds: number): string =>
  seconds < 50 ? 'less than 1 min' : `about ${Math.ceil((seconds - 10) / 60)} min`;
