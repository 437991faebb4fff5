import { KUBELET, KUBELET_SERVING } from '../../template/kubernetes/paths.ts';
import { runningService } from '../common/running-service.ts';
import { defineStep, type Step } from '../contract/step.ts';

/** The kubelet runs with its settings as they are, and starts with the host. */
export const runKubelet: Step = defineStep({
  name: 'kubelet.run',
  summary: 'See that the kubelet runs and starts with the host',
  reversible: true,
  parts: () => [
    // kubeadm has started it: undone, it is stopped with the node.
    runningService({
      unit: KUBELET.unit,
      restartIfNewer: [KUBELET.config, KUBELET.unitFile, KUBELET.dropIn, KUBELET.program, KUBELET_SERVING.certificate],
      startOnUndo: false,
    }),
  ],
});
