import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import type { Holder } from './lock-store.ts';

/** How this process names itself in a lock. */
export const whoWeAre = ({ what, run }: Pick<Holder, 'what' | 'run'>): Holder => ({
  owner: ownName(),
  machine: thisMachine(),
  pid: process.pid,
  what,
  run,
  since: new Date().toISOString(),
});

/** "ada@desk" */
export const ownName = () => `${userInfo().username}@${hostname()}`;

/** Our own machine knows that a process is gone at once; no need to wait for its heartbeat to be old. */
export function isDead({ machine, pid }: Holder): boolean {
  if (machine !== thisMachine() || !Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

/** Names are not unique and process ids count per container: a pid means something only within the same boot and name space. */
function thisMachine(): string {
  const read = (act: () => string) => {
    try {
      return act().trim();
    } catch {
      return '';
    }
  };
  const boot = read(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'));
  return [hostname(), boot, read(() => readlinkSync('/proc/self/ns/pid'))].join(' ');
}
