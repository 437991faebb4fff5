import type { Command } from '../command.ts';
import { labDown } from '../command/lab-down.ts';
import { labFaultClear } from '../command/lab-fault-clear.ts';
import { labFaultList } from '../command/lab-fault-list.ts';
import { labFaults } from '../command/lab-fault.ts';
import { labMirrorBuild } from '../command/lab-mirror-build.ts';
import { labMirrorServe } from '../command/lab-mirror-serve.ts';
import { labSsh } from '../command/lab-ssh.ts';
import { labStatus } from '../command/lab-status.ts';
import { labUp } from '../command/lab-up.ts';

/** The commands of the lab, in the order of the reference page. */
export const labCommands: readonly Command[] = [
  labUp,
  labDown,
  labStatus,
  labSsh,
  ...labFaults,
  labFaultList,
  labFaultClear,
  labMirrorBuild,
  labMirrorServe,
];
