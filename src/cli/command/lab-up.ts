import { defineCommand } from '../command.ts';
import { dryRun, printDryRun } from '../options/dry-run.ts';
import { labName } from '../options/lab.ts';

export const labUp = defineCommand({
  path: 'lab up',
  summary: 'Boot machines on this computer and write a cluster file for them',
  description:
    'Boots machines with systemd and sshd on this computer and writes a cluster file for them. Installs the Debian packages it needs, ' +
    'and builds the machine image the first time (about a minute). Run again, it brings back what is missing. Packets of the ' +
    'machines never reach private addresses outside the lab.',
  options: {
    name: labName,
    machines: {
      type: 'number',
      short: 'n',
      value: 'count',
      default: 3,
      min: 1,
      max: 200,
      summary: 'how many machines',
    },
    user: { type: 'text', value: 'name', default: 'root', summary: 'who logs in; other users than root get sudo' },
    password: { type: 'text', value: 'word', summary: 'let the user log in with a password, too' },
    sudoPassword: { type: 'text', value: 'word', summary: 'make sudo ask for this password' },
    keyTypes: { type: 'text', value: 'list', default: 'ed25519', summary: 'keys to make, of ed25519, rsa, ecdsa' },
    passphrase: { type: 'text', value: 'word', summary: 'make one more key, protected with this' },
    port: { type: 'number', value: 'port', default: 22, min: 1, max: 65535, summary: 'where sshd listens' },
    jump: { type: 'flag', summary: 'put a jump host in front: the other machines accept SSH only from it' },
    disk: { type: 'text', value: 'size', summary: 'give each machine an extra disk /dev/vdb, such as 1G' },
    shell: { type: 'text', value: 'path', default: '/bin/bash', summary: 'login shell of the user, such as /bin/csh' },
    dryRun,
    banner: { type: 'text', value: 'text', summary: 'print this at each login and before each command' },
  },
  examples: [
    { command: 'kubexm lab up --machines 3', does: 'Three machines, root with a key' },
    { command: 'kubexm lab up --name ha --machines 6', does: 'A second lab beside it, large enough for three masters' },
    {
      command: 'kubexm lab up --name odd --user ops --sudo-password secret --port 2222 --jump --disk 1G',
      does: 'Machines that are harder to work with',
    },
  ],
  async run({ options, global, console }) {
    const { bringUp, toOptions } = await import('../lab/bring-up.ts');
    if (!options.dryRun) return bringUp(options, global.workdir, console);
    const { previewUp } = await import('../../lab/preview.ts');
    return printDryRun(console, await previewUp(toOptions(options)));
  },
});
