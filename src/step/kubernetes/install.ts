import type { Assets } from '../../resource/assets.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { protectsKernelDefaults } from '../../template/kubernetes/hardening.ts';
import { kubeletDropIn, kubeletUnit } from '../../template/kubeadm/kubelet-unit.ts';
import { KUBELET } from '../../template/kubernetes/paths.ts';
import { file } from '../common/file.ts';
import { installProgram } from '../transfer/install-program.ts';
import type { Step } from '../contract/step.ts';

export const installKubeadm = (assets: Assets): Step =>
  installProgram(assets, { name: 'kubeadm', summary: 'Install kubeadm', into: BIN });

export const installKubectl = (assets: Assets): Step =>
  installProgram(assets, { name: 'kubectl', summary: 'Install kubectl', into: BIN });

/** Installs the kubelet and its unit; kubeadm starts it. */
export const installKubelet = (cluster: Cluster, assets: Assets): Step =>
  installProgram(assets, {
    name: 'kubelet',
    summary: 'Install the kubelet',
    into: BIN,
    beside: ({ facts }) => {
      const flags = protectsKernelDefaults(cluster, facts) ? ['--protect-kernel-defaults=true'] : [];
      return [
        file({ path: KUBELET.unitFile, content: kubeletUnit(KUBELET.program), mode: 0o600 }),
        file({ path: KUBELET.dropIn, content: kubeletDropIn(KUBELET.program, flags), mode: 0o600 }),
      ];
    },
  });

const BIN = '/usr/local/bin';
