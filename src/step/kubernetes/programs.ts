import { KUBELET, kubeletDropIn, kubeletUnit } from '../../template/kubeadm/kubelet-unit.ts';
import { file } from '../common/file.ts';
import { installProgram, type Programs } from '../transfer/install-program.ts';
import type { Step } from '../contract/step.ts';

/** What makes a control plane and lets nodes join it. */
export const installKubeadm = (programs?: Programs): Step =>
  installProgram(programs, { name: 'kubeadm', summary: 'Install kubeadm', into: BIN });

/** What people and we ourselves talk to the cluster with. */
export const installKubectl = (programs?: Programs): Step =>
  installProgram(programs, { name: 'kubectl', summary: 'Install kubectl', into: BIN });

/** What runs pods on a node. It is started once kubeadm has told it what to do. */
export const installKubelet = (programs?: Programs): Step =>
  installProgram(programs, {
    name: 'kubelet',
    summary: 'Install the kubelet',
    into: BIN,
    beside: [
      file({ path: KUBELET.unitFile, content: kubeletUnit(KUBELET.program) }),
      file({ path: KUBELET.dropIn, content: kubeletDropIn(KUBELET.program) }),
    ],
  });

const BIN = '/usr/local/bin';
