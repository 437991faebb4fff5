import { bracketed } from './bracketed.ts';

/** Where a host reaches by itself what listens there at an address, or at all of them. */
export const fromItself = (listens: string): string =>
  ['', '0.0.0.0', '::'].includes(listens) ? '127.0.0.1' : bracketed(listens);
