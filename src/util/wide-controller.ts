import { setMaxListeners } from 'node:events';

/** A controller whose signal many may listen to: one step asks many things at once, and many steps wait for one stop. */
export function wideController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
