import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';

/** "ada@desk" */
export const userAtHost = () => `${userInfo().username}@${hostname()}`;

/** Host names are not unique and PIDs repeat across containers: a PID is only valid within the same boot and PID namespace. */
export const thisMachine = (): string =>
  [
    hostname(),
    read(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
    read(() => readlinkSync('/proc/self/ns/pid')),
  ].join(' ');

/** Whether a process of a machine has exited. False if it belongs to another machine, where this cannot be known. */
export function hasExited(machine: string, pid: number): boolean {
  if (machine !== thisMachine() || !Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

/** When a process started, in clock ticks since boot; empty if unknown. With it, a reused PID is recognized. */
export const startOf = (pid: number): string =>
  // The second field is the name of the program, which may contain spaces and parentheses.
  read(() => readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, '').split(' ')[20] ?? '');

function read(act: () => string): string {
  try {
    return act().trim();
  } catch {
    return '';
  }
}
