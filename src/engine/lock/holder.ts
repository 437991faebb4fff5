import { hasExited, thisMachine, userAtHost } from '../../util/process-identity.ts';
import type { Holder } from './lock-store.ts';

/** Returns the holder record of this process. */
export const currentHolder = ({ what, run }: Pick<Holder, 'what' | 'run'>): Holder => ({
  owner: userAtHost(),
  machine: thisMachine(),
  pid: process.pid,
  what,
  run,
  since: new Date().toISOString(),
});

/** Returns whether the holder is a process on this machine that has exited. Its lock can be taken over immediately. */
export const isDead = ({ machine, pid }: Holder): boolean => hasExited(machine, pid);
