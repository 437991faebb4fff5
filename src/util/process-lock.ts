import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '../common/errors/errors.ts';

/** Runs `act` while holding a named lock that all kubexm processes on this machine share. */
export async function withLock<T>(name: string, act: () => Promise<T>, options: LockOptions = {}): Promise<T> {
  // An abstract socket: the kernel releases it when the holder dies, so there are no stale lock files.
  const server = createServer();
  while (!(await tryListen(server, `\0kubexm-${name}`))) {
    options.onWait?.();
    await sleep(200);
    if (options.signal?.aborted) throw fail('INTERRUPTED', {});
  }
  try {
    return await act();
  } finally {
    server.close();
    await once(server, 'close');
  }
}

interface LockOptions {
  readonly onWait?: () => void;
  readonly signal?: AbortSignal | undefined;
}

async function tryListen(server: ReturnType<typeof createServer>, path: string): Promise<boolean> {
  try {
    server.listen({ path });
    await once(server, 'listening');
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false;
    throw error;
  }
}
