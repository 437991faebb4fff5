import type { Cluster } from '../../config/model/cluster.ts';
import { kernelModules } from '../common/kernel-modules.ts';
import { defineStep } from '../contract/step.ts';
import { nodeModules } from '../host-requirements/kernel-modules.ts';

/** What containers and kube-proxy need of the kernel (OS10). */
export const loadModules = (cluster: Cluster) =>
  defineStep({
    name: 'os.modules',
    summary: 'Load the kernel modules that Kubernetes needs',
    reversible: true,
    parts: ({ facts }) => [
      kernelModules({ path: '/etc/modules-load.d/kubexm.conf', modules: nodeModules(cluster, facts) }),
    ],
  });
