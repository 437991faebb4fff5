import { resolve } from 'node:path';
import type { LabOptions } from '../../lab/options.ts';
import { defineCommand } from '../command.ts';
import type { Console } from '../console.ts';
import { count, megabytes } from '../format/text.ts';
import { abortOnInterrupt } from '../interrupts.ts';
import { dryRun, printDryRun } from '../options/dry-run.ts';
import { labContext, labName } from '../options/lab.ts';

export const labUp = defineCommand({
  path: 'lab up',
  summary: 'Boot test machines and write a cluster file for them',
  description:
    'The machines run systemd and sshd in containers on this computer. Installs the required Debian packages ' +
    'and builds the machine image on first use (about a minute). Repeat the command to restart missing machines. The machines ' +
    'cannot reach private addresses outside the lab.',
  options: {
    name: labName,
    machines: {
      type: 'number',
      short: 'n',
      value: 'COUNT',
      default: 3,
      min: 1,
      max: 200,
      summary: 'number of machines',
    },
    user: {
      type: 'text',
      value: 'USER',
      default: 'root',
      summary: 'login user; users other than root are added to sudoers',
    },
    password: { type: 'text', value: 'PASSWORD', summary: 'also allow login with this password' },
    sudoPassword: { type: 'text', value: 'PASSWORD', summary: 'require this password for sudo' },
    keyTypes: { type: 'text', value: 'LIST', default: 'ed25519', summary: 'SSH keys to generate: ed25519, rsa, ecdsa' },
    passphrase: { type: 'text', value: 'PASSPHRASE', summary: 'also generate a key encrypted with this passphrase' },
    port: { type: 'number', value: 'PORT', default: 22, min: 1, max: 65535, summary: 'port of sshd' },
    jump: { type: 'flag', summary: 'add a jump host; the other machines accept SSH only from it' },
    disk: { type: 'text', value: 'SIZE', summary: 'add a disk /dev/vdb of this size to each machine, e.g. 1G' },
    shell: { type: 'text', value: 'SHELL', default: '/bin/bash', summary: 'login shell of the user' },
    dryRun,
    banner: { type: 'text', value: 'TEXT', summary: 'text to print at each login and before each command' },
  },
  examples: [
    { command: 'kubexm lab up --machines 3', does: 'Boot three machines with key login as root' },
    { command: 'kubexm lab up --name ha --machines 6', does: 'Boot a second lab with six machines' },
    {
      command: 'kubexm lab up --name odd --user ops --sudo-password secret --port 2222 --jump --disk 1G',
      does: 'Use a sudo password, a different SSH port, a jump host and an extra disk',
    },
  ],
  async run({ options, global, console }) {
    const labOptions = await toLabOptions(options);
    if (!options.dryRun) return bootLab(labOptions, global.workdir, console);
    const { previewUp } = await import('../../lab/preview.ts');
    return printDryRun(console, await previewUp(labOptions));
  },
});

/** Boots a lab and prints its machines and what to run next. */
async function bootLab(options: Partial<LabOptions>, workdir: string, console: Console): Promise<void> {
  const [{ labUp: boot }, { labStatus }, { saveContext }, { printLabStatus }] = await Promise.all([
    import('../../lab/up.ts'),
    import('../../lab/status.ts'),
    import('../../state/contexts.ts'),
    import('../format/lab-status.ts'),
  ]);
  const lab = await abortOnInterrupt((signal) => boot(options, console.progress, signal));
  await saveContext({ name: labContext(lab.name), file: lab.paths.cluster, workdir: resolve(workdir) });
  const status = await labStatus(lab.name);
  await printLabStatus(status, console);
  const memory = status.flatMap(({ machines }) => machines).reduce((sum, { memoryBytes }) => sum + memoryBytes, 0);
  const nameFlag = lab.name === 'lab' ? '' : ` --name ${lab.name}`;
  console.note(
    [
      '',
      `${count(lab.machines.length, 'machine')} up in ${lab.seconds.toFixed(1)} s, ${megabytes(memory)}`,
      '',
      `Log in   kubexm lab ssh node1${nameFlag}`,
      `Check    kubexm validate cluster -f ${lab.paths.cluster}`,
      `Remove   kubexm lab down${nameFlag}`,
    ].join('\n'),
  );
}

interface LabFlags {
  readonly name: string;
  readonly machines: number;
  readonly user: string;
  readonly password: string | undefined;
  readonly sudoPassword: string | undefined;
  readonly keyTypes: string;
  readonly passphrase: string | undefined;
  readonly port: number;
  readonly jump: boolean;
  readonly disk: string | undefined;
  readonly shell: string;
  readonly banner: string | undefined;
}

async function toLabOptions(flags: LabFlags): Promise<Partial<LabOptions>> {
  const { keyTypesIn } = await import('../../lab/options.ts');
  const { name, machines, user, port, jump, shell, password, sudoPassword, passphrase, disk, banner } = flags;
  return {
    name,
    machines,
    user,
    port,
    jump,
    shell,
    keyTypes: keyTypesIn(flags.keyTypes),
    ...(password !== undefined && { password }),
    ...(sudoPassword !== undefined && { sudoPassword }),
    ...(passphrase !== undefined && { passphrase }),
    ...(disk !== undefined && { disk }),
    ...(banner !== undefined && { banner }),
  };
}
