import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import type { Holder } from './lock-store.ts';

/** The holder record of this process. */
export const currentHolder = ({ what, run }: Pick<Holder, 'what' | 'run'>): Holder => ({
  owner: userAtHost(),
  machine: thisMachine(),
  pid: process.pid,
  what,
  run,
  since: new Date().toISOString(),
});

/** "ada@desk" */
export const userAtHost = () => `${userInfo().username}@${hostname()}`;

/** Whether the holder is a process of this machine that has exited. Its lock can be taken over immediately. */
export function isDead({ machine, pid }: Holder): boolean {
  if (machine !== thisMachine() || !Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

/** Host names are not unique and PIDs repeat across containers: a PID is only valid within the same boot and PID namespace. */
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
