import type { Assets } from '../../../resource/assets.ts';
import { sh } from '../../../runner/command.ts';
import { CONTAINERD } from '../../../template/containerd.ts';
import { installProgram } from '../../transfer/install-program.ts';
import { recordOwner } from '../shared/record-owner.ts';
import type { Step } from '../../contract/step.ts';

/** Records whether the host had containerd before. */
export const recordContainerdOwner: Step = recordOwner(
  'containerd',
  sh`[ -n "$(PATH=/usr/local/bin:$PATH command -v containerd)" ] || [ -S ${CONTAINERD.socket} ]`,
);

/** Installs containerd, its shim and ctr. */
export const installContainerdProgram = (assets: Assets): Step =>
  installProgram(assets, {
    name: 'containerd',
    summary: 'Install containerd',
    into: '/usr/local/bin',
    wanted: (member) => /(^|\/)(containerd|ctr|containerd-shim-runc-v2)$/.test(member),
  });
