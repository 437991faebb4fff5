import { killAt } from './kill-at.ts';

/** Loaded before kubexm itself: lets it end at a record of its journal, whatever command it runs. */
const point = process.env['KUBEXM_TEST_KILL'];
if (point !== undefined) await killAt(JSON.parse(point));
