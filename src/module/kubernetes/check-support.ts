import { empty } from '../../plan/fragment.ts';
import { checkSupport } from '../../task/kubernetes/check-support.ts';
import { defineModule } from '../module.ts';

/** Comes before anything is changed. */
export const checkSupportModule = defineModule({
  name: 'kubernetes',
  title: 'See whether the cluster can be installed',
  plan: ({ cluster: { kubernetes, network }, task }) => {
    if (kubernetes.type === 'kubexm')
      return task(checkSupport, { what: 'kubernetes.type: kubexm', instead: 'kubernetes.type: kubeadm' });
    const { type } = network.plugin;
    if (type === 'calico' || type === 'cilium' || type === 'kube-ovn')
      return task(checkSupport, { what: `network.plugin: ${type}`, instead: 'network.plugin: flannel' });
    return empty;
  },
});
