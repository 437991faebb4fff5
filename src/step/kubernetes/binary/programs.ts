import type { Service } from '../../../template/kubernetes/paths.ts';
import { KUBERNETES } from '../../../template/kubernetes/paths.ts';
import { installProgram, type Programs } from '../../transfer/install-program.ts';
import type { Step } from '../../contract/step.ts';

/** A part of Kubernetes that runs as a service is on the host. */
export const installService = (name: Service, programs?: Programs): Step =>
  installProgram(programs, { name, summary: `Install ${name}`, into: KUBERNETES.programs });

/** The kubelet alone: its service is written for each node. */
export const installKubeletProgram = (programs?: Programs): Step =>
  installProgram(programs, { name: 'kubelet', summary: 'Install the kubelet', into: KUBERNETES.programs });
