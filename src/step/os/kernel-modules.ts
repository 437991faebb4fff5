import type { Cluster } from '../../config/model/cluster.ts';
import { kernelModules } from '../common/kernel-modules.ts';
import { defineStep } from '../contract/step.ts';
import { nodeModules } from '../host-requirements/kernel-modules.ts';

/** Loads the kernel modules that containers and kube-proxy need. */
export const loadModules = (cluster: Cluster) =>
  defineStep({
    name: 'os.modules',
    summary: 'Load kernel modules',
    reversible: true,
    parts: ({ facts }) => [
      kernelModules({ path: '/etc/modules-load.d/kubexm.conf', modules: nodeModules(cluster, facts) }),
    ],
  });
