import type { Cluster } from '../../config/model/cluster.ts';
import { kubeletServing } from '../../config/model/kubelet-serving.ts';
import { mapContainers, patchObject, type Patch } from '../kubernetes-object/patch.ts';

/** Disables certificate verification only if kubelets have self-signed certificates. */
export const metricsServerPatch = (cluster: Cluster): Patch => {
  if (kubeletServing(cluster) !== 'self-signed') return (objects) => objects;
  return patchObject('Deployment kube-system/metrics-server', (object) =>
    mapContainers(object, (container) => {
      const { args = [] } = container;
      return args.includes(INSECURE) ? container : { ...container, args: [...args, INSECURE] };
    }),
  );
};

const INSECURE = '--kubelet-insecure-tls';
