import { fail } from '../../common/errors/errors.ts';
import type { GenericStep } from '../contract/part.ts';
import { defineStep, type Step } from '../contract/step.ts';

/** A feature of the cluster file that is not supported yet, and the alternative. */
export interface Unsupported {
  readonly what: string;
  readonly instead: string;
}

/** Fails, before anything is changed, because the cluster file uses a feature that is not supported yet. */
export const refuseUnsupported = (unsupported: Unsupported): Step =>
  defineStep({
    name: 'kubernetes.support',
    summary: `Check whether ${unsupported.what} is supported`,
    parts: () => [refused(unsupported)],
  });

const refused = (unsupported: Unsupported): GenericStep =>
  Object.freeze<GenericStep>({
    key: 'check:support',
    summary: `check whether ${unsupported.what} is supported`,
    precheck: () => Promise.reject(fail('NOT_READY_YET', unsupported)),
    run: () => Promise.resolve(),
  });
