import { sh } from '../../../runner/command.ts';
import { ISULAD } from '../../../template/isulad.ts';
import type { Step } from '../../contract/step.ts';
import { clearPods } from '../shared/clear-pods.ts';
import { MARKER } from './service.ts';

/** Removes all pods and containers before iSulad itself is removed. */
export const clearIsulad: Step = clearPods({
  name: 'isulad',
  unit: ISULAD.unit,
  ours: sh`[ -e ${MARKER} ]`,
  shims: '^[^ ]*isulad-shim ',
});
