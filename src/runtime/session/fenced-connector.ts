import { fail } from '../../common/errors/errors.ts';
import type { Connector } from '../../connector/connector.ts';
import { quote } from '../../connector/quote.ts';
import type { ClusterLock } from '../../engine/lock/lock.ts';

/** The cluster lock that a run holds on a host. */
export interface Fence {
  readonly cluster: string;
  readonly lock: ClusterLock;
  /** The lock folder on the host. */
  readonly folder: string;
}

/**
 * Wraps a connector so that it changes nothing once another run has taken the lock. The check runs on the host, so it also
 * stops delayed commands and runs that were suspended past their lease.
 */
export function fencedConnector(connector: Connector, fence: Fence): Connector {
  const { cluster, lock } = fence;
  const lockHeld = lockHeldOn(connector, fence);
  const throwLockLost = () => lockLost(connector, fence);
  return Object.freeze<Connector>({
    ...connector,
    get roundTrips() {
      return connector.roundTrips;
    },
    async exec(script, options) {
      const fenced = `${lockHeld} || exit ${LOST}\n${script}`;
      const result = await lock.during(connector.host, () => connector.exec(fenced, { ...options, group: cluster }));
      const isLost = result.exit === LOST && (await connector.query(lockHeld)).exit !== 0;
      return isLost ? throwLockLost() : result;
    },
    async upload(source, target, signal) {
      if ((await connector.query(lockHeld)).exit !== 0) await throwLockLost();
      await lock.during(connector.host, () => connector.upload(source, target, signal));
    },
  });
}

/** Throws LOCK_LOST once another run has taken the lock, for changes that are not made by commands on the host. */
export async function checkFence(connector: Connector, fence: Fence): Promise<void> {
  fence.lock.check();
  if ((await connector.query(lockHeldOn(connector, fence))).exit !== 0) await lockLost(connector, fence);
}

/** The local machine has no host lock. */
function lockHeldOn({ host }: Connector, { lock, folder }: Fence): string {
  const lockNumber = lock.numberOn(host);
  return lockNumber === undefined ? 'true' : `[ -e ${quote(`${folder}/${lockNumber}`)} ]`;
}

async function lockLost({ host }: Connector, { cluster, lock }: Fence): Promise<never> {
  await lock.during(host, () => lock.renew());
  lock.check();
  throw fail('LOCK_LOST', { cluster, owner: 'Another run', where: host });
}

/** Exit code for a lost lock. Rarely used by other programs, and confirmed by a second check. */
const LOST = 247;
