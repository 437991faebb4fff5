import { installProgram, type Programs } from '../../transfer/install-program.ts';
import type { Step } from '../../contract/step.ts';

/** containerd, what it starts containers through, and ctr. */
export const installContainerdProgram = (programs?: Programs): Step =>
  installProgram(programs, {
    name: 'containerd',
    summary: 'Install containerd',
    into: '/usr/local/bin',
    wanted: (member) => /(^|\/)(containerd|ctr|containerd-shim-runc-v2)$/.test(member),
  });
