/** A voting member, so not a learner. */
export interface Voter {
  readonly id: string;
  readonly isHealthy: boolean;
}

/** A point of a removal at which etcd has no quorum. */
export interface QuorumLoss {
  /** How many members were removed before; 0 if etcd has no quorum now. */
  readonly removed: number;
  readonly voters: number;
  readonly healthy: number;
  readonly needed: number;
}

/** How many of the voting members must be healthy. */
export const quorumOf = (voters: number): number => Math.floor(voters / 2) + 1;

/** Unhealthy members first: removing them never lowers the number of healthy ones. */
export const removalOrder = <Member extends Voter>(leaving: readonly Member[]): readonly Member[] =>
  leaving.toSorted((one, other) => Number(one.isHealthy) - Number(other.isHealthy));

/**
 * The first point at which removing the members one after another has no quorum; undefined if it always has. Each
 * removal is a write, so it needs a quorum before it; after the last one, the cluster must still have one.
 */
export function quorumLoss(voters: readonly Voter[], leaving: readonly Voter[]): QuorumLoss | undefined {
  const order = removalOrder(leaving);
  for (let removed = 0; removed <= order.length; removed += 1) {
    const gone = new Set(order.slice(0, removed).map(({ id }) => id));
    const left = voters.filter(({ id }) => !gone.has(id));
    const healthy = left.filter(({ isHealthy }) => isHealthy).length;
    const needed = quorumOf(left.length);
    if (healthy < needed) return { removed, voters: left.length, healthy, needed };
  }
  return undefined;
}
