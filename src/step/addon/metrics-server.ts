import { mapContainers, patchObject, type Patch } from '../patch.ts';

/** kubelets of kubeadm show certificates that they signed themselves. */
export const metricsServerPatch: Patch = patchObject('Deployment kube-system/metrics-server', (object) =>
  mapContainers(object, (container) => {
    const { args = [] } = container;
    return args.includes(INSECURE) ? container : { ...container, args: [...args, INSECURE] };
  }),
);

const INSECURE = '--kubelet-insecure-tls';
