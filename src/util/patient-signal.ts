import { setMaxListeners } from 'node:events';

/** Aborted when one of the signals is, or when the time is over; many may listen to it. */
export function patientSignal(signals: readonly AbortSignal[], ms: number): AbortSignal {
  const signal = AbortSignal.any([...signals, AbortSignal.timeout(ms)]);
  setMaxListeners(0, signal);
  return signal;
}
