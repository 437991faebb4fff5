import type { Assets } from '../../../resource/assets.ts';
import type { Service } from '../../../template/kubernetes/paths.ts';
import { KUBERNETES } from '../../../template/kubernetes/paths.ts';
import { installProgram } from '../../transfer/install-program.ts';
import type { Step } from '../../contract/step.ts';

/** Installs a Kubernetes component that runs as a systemd service. */
export const installService = (name: Service, assets: Assets): Step =>
  installProgram(assets, { name, summary: `Install ${name}`, into: KUBERNETES.programs });

/** Installs the kubelet without its unit, which is written for each node. */
export const installKubeletProgram = (assets: Assets): Step =>
  installProgram(assets, { name: 'kubelet', summary: 'Install the kubelet', into: KUBERNETES.programs });
