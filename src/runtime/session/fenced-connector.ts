import { fail } from '../../common/errors/errors.ts';
import type { Connector } from '../../connector/connector.ts';
import { quote } from '../../connector/quote.ts';
import type { ClusterLock } from '../../engine/lock/lock.ts';

/** The lock that a run holds on one host. */
export interface Fence {
  readonly cluster: string;
  readonly lock: ClusterLock;
  /** Where the host keeps it. */
  readonly folder: string;
}

/**
 * A way to a host on which nothing can be begun once somebody else has the lock: the host itself looks, so that a run
 * which slept through its time, or a command that was late, finds the door closed.
 */
export function fenced(way: Connector, fence: Fence): Connector {
  const { cluster, lock, folder } = fence;
  const number = lock.numberOn(way.host);
  // On this machine there is none.
  const look = number === undefined ? 'true' : `[ -e ${quote(`${folder}/${number}`)} ]`;
  const refuse = async (): Promise<never> => {
    await lock.renew();
    lock.check();
    throw fail('LOCK_LOST', { cluster, owner: 'somebody', where: way.host });
  };
  return Object.freeze<Connector>({
    ...way,
    get roundTrips() {
      return way.roundTrips;
    },
    async exec(script, options) {
      const result = await way.exec(`${look} || exit ${CLOSED}\n${script}`, { ...options, family: cluster });
      const refused = result.exit === CLOSED && (await way.look(look)).exit !== 0;
      return refused ? refuse() : result;
    },
    async upload(source, target, signal) {
      if ((await way.look(look)).exit !== 0) await refuse();
      await way.upload(source, target, signal);
    },
  });
}

/** Few programs end with it; the host is asked again before it is believed. */
const CLOSED = 247;
