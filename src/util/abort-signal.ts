import { setMaxListeners } from 'node:events';

/** An AbortController whose signal takes any number of listeners: Node warns about a leak above ten. */
export function createAbortController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/** Aborts with the first of `signals`, or after `ms` milliseconds; takes any number of listeners. */
export function signalWithTimeout(signals: readonly AbortSignal[], ms: number): AbortSignal {
  const signal = AbortSignal.any([...signals, AbortSignal.timeout(ms)]);
  setMaxListeners(0, signal);
  return signal;
}
