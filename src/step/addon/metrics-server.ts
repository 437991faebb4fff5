import type { Cluster } from '../../config/cluster.ts';
import { mapContainers, patchObject, type Patch } from '../patch.ts';

/**
 * kubelets of kubeadm show certificates that they signed themselves, which nobody can check; where the file has them ask
 * for such of the cluster, or names their files, they are checked.
 */
export const metricsServerPatch = ({ kubernetes: { kubeletConfiguration } }: Cluster): Patch => {
  const { serverTLSBootstrap, tlsCertFile } = kubeletConfiguration;
  if (serverTLSBootstrap === true || tlsCertFile !== undefined) return (objects) => objects;
  return patchObject('Deployment kube-system/metrics-server', (object) =>
    mapContainers(object, (container) => {
      const { args = [] } = container;
      return args.includes(INSECURE) ? container : { ...container, args: [...args, INSECURE] };
    }),
  );
};

const INSECURE = '--kubelet-insecure-tls';
