import { defineStep } from '../contract/step.ts';
import { REPORTS } from './cache-keys.ts';
import { checkOnly } from '../common/check-only.ts';

/** No host was looked at yet: when none can be reached, that is judged, too. */
export const startChecks = defineStep({
  name: 'preflight.begin',
  summary: 'Begin the checks',
  provides: [REPORTS],
  parts: () => [
    checkOnly('check:begin', 'begin with no host looked at', ({ cache }) => {
      if (!cache.get(REPORTS)) cache.set(REPORTS, new Map());
    }),
  ],
});
