import { setMaxListeners } from 'node:events';

/** An AbortController whose signal takes any number of listeners: Node warns about a leak above ten. */
export function createAbortController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/** Aborts with the first of `signals`, or after `ms` milliseconds; takes any number of listeners. */
export function signalWithTimeout(signals: readonly AbortSignal[], ms: number): AbortSignal {
  const timeout = new AbortController();
  // Not AbortSignal.timeout: Node 20 collects it as garbage if only AbortSignal.any uses it, and then it never aborts.
  setTimeout(() => timeout.abort(new DOMException(`timed out after ${ms} ms`, 'TimeoutError')), ms).unref();
  const signal = AbortSignal.any([...signals, timeout.signal]);
  setMaxListeners(0, signal);
  return signal;
}
