import type { Command } from '../command.ts';
import { labDown } from './down.ts';
import { labFaultClear } from './fault-clear.ts';
import { labFaultList } from './fault-list.ts';
import { labFaults } from './fault.ts';
import { labMirrorBuild } from './mirror-build.ts';
import { labMirrorServe } from './mirror-serve.ts';
import { labSsh } from './ssh.ts';
import { labStatus } from './status.ts';
import { labUp } from './up.ts';

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
