import { keyTypesIn, type LabOptions } from '../../lab/options.ts';
import { labStatus } from '../../lab/status.ts';
import { labUp } from '../../lab/up.ts';
import { resolve } from 'node:path';
import { saveContext } from '../../state/contexts.ts';
import type { Console } from '../console.ts';
import { contextOf } from '../options/lab.ts';
import { megabytes, printStatus } from '../format/lab-status.ts';
import { untilStopped } from '../until-stopped.ts';

/** Makes a lab and tells what came of it, and what to paste next. */
export async function bringUp(flags: Flags, workdir: string, console: Console): Promise<void> {
  const lab = await untilStopped((signal) => labUp(toOptions(flags), console.progress, signal));
  await saveContext({ name: contextOf(lab.name), file: lab.paths.cluster, workdir: resolve(workdir) });
  const status = await labStatus(lab.name);
  await printStatus(status, console);
  const memory = status.flatMap(({ machines }) => machines).reduce((sum, { memoryBytes }) => sum + memoryBytes, 0);
  const count = lab.machines.length === 1 ? '1 machine' : `${lab.machines.length} machines`;
  const named = lab.name === 'lab' ? '' : ` --name ${lab.name}`;
  console.note(
    [
      '',
      `${count} up in ${lab.seconds.toFixed(1)} s, ${megabytes(memory)}`,
      '',
      `Log in   kubexm lab ssh node1${named}`,
      `Check    kubexm validate cluster -f ${lab.paths.cluster}`,
      `Remove   kubexm lab down${named}`,
    ].join('\n'),
  );
}

interface Flags {
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

export function toOptions(flags: Flags): Partial<LabOptions> {
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
