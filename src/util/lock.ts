import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '../common/errors/errors.ts';

/** Does an act that no other kubexm on this computer does at the same time. */
export async function withLock<T>(name: string, act: () => Promise<T>, waiting: Waiting = {}): Promise<T> {
  // An abstract socket: the kernel lets it go when its holder dies, so there is no stale lock file to judge.
  const server = createServer();
  while (!(await listens(server, `\0kubexm-${name}`))) {
    waiting.onWait?.();
    await sleep(200);
    if (waiting.signal?.aborted) throw fail('INTERRUPTED', {});
  }
  try {
    return await act();
  } finally {
    server.close();
    await once(server, 'close');
  }
}

interface Waiting {
  readonly onWait?: () => void;
  readonly signal?: AbortSignal | undefined;
}

async function listens(server: ReturnType<typeof createServer>, path: string): Promise<boolean> {
  try {
    server.listen({ path });
    await once(server, 'listening');
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false;
    throw error;
  }
}
