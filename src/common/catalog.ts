import { configErrors } from './catalog/config.ts';
import { generalErrors } from './catalog/general.ts';
import { labErrors } from './catalog/lab.ts';

/** Every error a user can meet. Codes are permanent: scripts and searches rely on them. */
export const catalog = Object.freeze({ ...generalErrors, ...configErrors, ...labErrors });

/** The parameters that the error `C` is told with. */
export type ErrorParams<C extends keyof typeof catalog> = (typeof catalog)[C]['example'];
