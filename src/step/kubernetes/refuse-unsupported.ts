import { fail } from '../../common/errors/errors.ts';
import type { GenericStep } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';

/** What a file asks for, and what can be had instead. */
export interface Unsupported {
  readonly what: string;
  readonly instead: string;
}

/** Ends a run before anything is changed where the file asks for what cannot be installed yet. */
export const refuseUnsupported = (unsupported: Unsupported): Step =>
  defineStep({
    name: 'kubernetes.support',
    summary: `See whether ${unsupported.what} can be installed`,
    parts: () => [refused(unsupported)],
  });

const refused = (unsupported: Unsupported): GenericStep =>
  Object.freeze<GenericStep>({
    key: 'check:support',
    summary: `install ${unsupported.what}`,
    precheck: () => Promise.reject(fail('NOT_READY_YET', unsupported)),
    run: () => Promise.resolve(),
  });
