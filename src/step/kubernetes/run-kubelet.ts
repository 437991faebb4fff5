import { KUBELET, KUBELET_SERVING } from '../../template/kubernetes/paths.ts';
import { runningService } from '../common/running-service.ts';
import { defineStep, type Step } from '../contract/step.ts';

/** Runs the kubelet with its current configuration and enables it at boot. */
export const runKubelet: Step = defineStep({
  name: 'kubelet.run',
  summary: 'Enable and start the kubelet',
  reversible: true,
  parts: () => [
    // Not started again on undo: kubeadm started it, and resetting the node stops it.
    runningService({
      unit: KUBELET.unit,
      restartIfNewer: [KUBELET.config, KUBELET.unitFile, KUBELET.dropIn, KUBELET.program, KUBELET_SERVING.certificate],
      startOnUndo: false,
    }),
  ],
});
