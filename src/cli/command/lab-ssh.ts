import { defineCommand } from '../command.ts';
import { labName, machineNames } from '../options/lab.ts';

export const labSsh = defineCommand({
  path: 'lab ssh',
  summary: 'Log in to a lab machine or run a command on it',
  args: [
    { name: 'MACHINE', complete: machineNames, summary: 'node1, node2 … or jump' },
    { name: 'CMD', summary: 'command to run, after --', optional: true, rest: true },
  ],
  options: { name: labName },
  examples: [
    { command: 'kubexm lab ssh node1', does: 'Log in to node1' },
    { command: 'kubexm lab ssh node2 --name ha -- systemctl --failed', does: 'Run a command on node2 in the lab ha' },
  ],
  async run({ args, options }) {
    const [{ attach }, { findMachine }, { labPaths }, { sshArgv }] = await Promise.all([
      import('../../connector/program.ts'),
      import('../../lab/machine/find-machines.ts'),
      import('../../lab/paths.ts'),
      import('../../lab/machine/ssh-config.ts'),
    ]);
    const [name = '', ...command] = args;
    const machine = await findMachine(options.name, name);
    return attach(sshArgv(labPaths(machine.lab), machine.name, command));
  },
});
