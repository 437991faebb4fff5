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
  const { cluster, lock, folder } = fence;
  const lockNumber = lock.numberOn(connector.host);
  // The local machine has no host lock.
  const lockHeld = lockNumber === undefined ? 'true' : `[ -e ${quote(`${folder}/${lockNumber}`)} ]`;
  const throwLockLost = async (): Promise<never> => {
    await lock.during(connector.host, () => lock.renew());
    lock.check();
    throw fail('LOCK_LOST', { cluster, owner: 'Another run', where: connector.host });
  };
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

/** Exit code for a lost lock. Rarely used by other programs, and confirmed by a second check. */
const LOST = 247;
