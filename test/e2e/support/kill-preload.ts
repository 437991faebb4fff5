import { killAt } from './kill-at.ts';

/** Preloaded into kubexm to kill it at a journal record, whatever command it runs. */
const point = process.env['KUBEXM_TEST_KILL'];
if (point !== undefined) await killAt(JSON.parse(point));
