import { sh } from '../../../runner/command.ts';
import { CRIO } from '../../../template/crio.ts';
import type { Step } from '../../contract/step.ts';
import { clearPods } from '../shared/clear-pods.ts';

/** Removes all pods and containers before CRI-O itself is removed. */
export const clearCrio: Step = clearPods({
  name: 'cri-o',
  unit: CRIO.unit,
  ours: sh`grep -qsx '# Written by kubexm.' ${CRIO.config}`,
  // podman also runs conmon.
  shims: '^[^ ]*conmon .*/crio/',
});
