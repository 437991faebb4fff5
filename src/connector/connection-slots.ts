import { createConnection, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSemaphore, type Semaphore } from './semaphore.ts';
import type { Target } from './target.ts';

/** Measures how long a host waits for slots. The connection timeout excludes this time. */
export interface SlotWait {
  ms: number;
}

/** Functions that open a stream to a host and use it in a slot. */
export interface StreamUse<S extends Duplex, T> {
  readonly open: () => Promise<S>;
  readonly use: (stream: S) => Promise<T>;
  readonly waited: SlotWait;
  readonly signal: AbortSignal;
}

/**
 * Opens a stream to a host and logs in over it. Limits the number of concurrent logins, because the key exchange blocks
 * this process and too many logins would all time out. Hosts that do not respond do not occupy a login slot.
 */
export const inLoginSlot = <S extends Duplex, T>({ open, use, waited, signal }: StreamUse<S, T>): Promise<T> =>
  inSlot(connectionSlots, { waited, signal }, async () => {
    const stream = await open();
    try {
      return await inSlot(loginSlots, { waited, signal }, () => {
        if (stream.destroyed) throw new Error('the host closed the connection');
        return use(stream);
      });
    } catch (error) {
      stream.destroy();
      throw error;
    }
  });

/** Opens a TCP connection to a host. */
export const openSocket = (
  { address, port }: Pick<Target, 'address' | 'port'>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Socket> =>
  new Promise((resolve, reject) => {
    // Without `noDelay`, Nagle's algorithm delays each command by 40 ms.
    const socket = createConnection({ host: address, port, noDelay: true });
    const giveUp = () => socket.destroy(new Error(`no answer within ${Math.round(timeoutMs / 1000)} s`));
    const timer = setTimeout(giveUp, timeoutMs);
    // The `signal` option of Node.js keeps its listener after the socket is closed, and each retry would add one.
    const onAbort = () => socket.destroy(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    // The listener is never removed, because the host may reset the connection while it waits for a login slot.
    socket.on('error', reject);
    socket.once('close', () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    });
    socket.once('connect', () => {
      clearTimeout(timer);
      resolve(joinWrites(socket));
    });
  });

/**
 * Sends all packets of one tick with one system call. ssh2 writes each packet separately: 32 for one megabyte of a
 * file.
 */
function joinWrites(socket: Socket): Socket {
  const write = socket.write.bind(socket);
  let isCorked = false;
  const uncork = () => {
    isCorked = false;
    socket.uncork();
  };
  const joined = (...args: Parameters<Socket['write']>) => {
    if (!isCorked) {
      isCorked = true;
      socket.cork();
      setImmediate(uncork);
    }
    return write(...args);
  };
  return Object.assign(socket, { write: joined });
}

async function inSlot<T>(
  slots: Semaphore,
  { waited, signal }: Pick<StreamUse<Duplex, T>, 'waited' | 'signal'>,
  act: () => Promise<T>,
): Promise<T> {
  const asked = performance.now();
  await slots.acquire(signal);
  waited.ms += performance.now() - asked;
  try {
    return await act();
  } finally {
    slots.release();
  }
}

// sshd closes connections after LoginGraceTime, so an open connection must not wait long for a login slot.
const connectionSlots = createSemaphore(512);
const loginSlots = createSemaphore(64);
