import type { Cluster } from '../../../config/model/cluster.ts';
import { kubeletConfig, kubeletService } from '../../../template/kubernetes/kubelet-service.ts';
import { protectsKernelDefaults } from '../../../template/kubernetes/hardening.ts';
import { KUBELET, KUBERNETES } from '../../../template/kubernetes/paths.ts';
import { clusterHost } from '../../contract/cluster-host.ts';
import { file } from '../../common/file.ts';
import { ownedDirectory } from '../../common/owned-directory.ts';
import { defineStep, type Step } from '../../contract/step.ts';

/** Configures the kubelet, which is started when the node joins. */
export const configureKubelet = (cluster: Cluster): Step =>
  defineStep({
    name: 'kubelet.configure',
    summary: 'Configure the kubelet',
    reversible: true,
    parts: ({ host, facts }) => [
      ownedDirectory({ path: KUBERNETES.manifests, mode: 0o700 }),
      file({
        path: KUBELET.config,
        content: kubeletConfig(cluster, {
          resolved: facts.services['systemd-resolved'] === 'active',
          protectKernelDefaults: protectsKernelDefaults(cluster, facts),
        }),
        mode: 0o600,
      }),
      file({ path: KUBELET.unitFile, content: kubeletService(cluster, clusterHost(cluster, host)), mode: 0o600 }),
    ],
  });
