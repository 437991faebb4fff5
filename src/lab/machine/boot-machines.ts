import { join } from 'node:path';
import { fail } from '../../common/errors/errors.ts';
import type { ReportProgress } from '../../common/progress.ts';
import { boot, prepareBoot, type BootPlan } from './boot.ts';
import { ensureDisk } from './disk.ts';
import { activeFaults, clearFaults } from '../fault/faults.ts';
import type { Key } from './ssh-keys.ts';
import type { Machine, MachineState } from './machine.ts';
import { findMachines } from './find-machines.ts';
import { containerOf } from '../names.ts';
import { machineNames, type LabOptions } from '../options.ts';
import { forEachParallel } from '../../util/parallel.ts';
import type { LabPaths } from '../paths.ts';
import { podman } from '../podman.ts';
import { jumpFirewall, setupScript } from './setup-script.ts';
import { addressOf } from '../network/subnet.ts';
import { removeVolumes } from './volumes.ts';

/** The inputs shared by all steps of one `labUp` call. */
export interface UpContext {
  readonly options: LabOptions;
  readonly image: string;
  readonly report: ReportProgress;
  readonly signal?: AbortSignal;
}

/** Boots the machines of a lab that are not running. */
export async function bootMachines(
  context: UpContext,
  number: number,
  keys: readonly Key[],
  paths: LabPaths,
): Promise<readonly Machine[]> {
  const { options, report, signal } = context;
  const machines = machinesOf(options, number);
  const existing = await findMachines(options.name);
  const state = ({ name }: Machine) => existing.find((machine) => machine.name === name)?.state;
  await removeVolumes(
    options.name,
    machines.filter((machine) => state(machine) === undefined).map(({ name }) => name),
  );
  const task = 'Starting the machines';
  let done = 0;
  await forEachParallel(machines, 4, async (machine) => {
    if (signal?.aborted) throw fail('INTERRUPTED', {});
    await bootMachine(machine, state(machine), () => planBoot(context, machine, machines, keys, paths));
    report({ task, done: ++done, total: machines.length, detail: machine.name });
  });
  return machines;
}

async function bootMachine(
  machine: Machine,
  state: MachineState | undefined,
  plan: () => Promise<BootPlan>,
): Promise<void> {
  if (state === 'running' || state === 'paused') {
    // A machine with a fault may never become ready.
    if ((await activeFaults(machine, state)).length > 0) await clearFaults(machine);
    return;
  }
  const bootPlan = await plan();
  await prepareBoot(bootPlan);
  await (state === undefined ? boot(bootPlan) : podman(['start', machine.container]));
}

function machinesOf(options: LabOptions, number: number): readonly Machine[] {
  return machineNames(options).map((name, index) =>
    Object.freeze({
      name,
      lab: options.name,
      container: containerOf(options.name, name),
      address: addressOf(number, index),
      port: name === 'jump' ? 22 : options.port,
    }),
  );
}

async function planBoot(
  { options, image }: UpContext,
  machine: Machine,
  machines: readonly Machine[],
  keys: readonly Key[],
  paths: LabPaths,
): Promise<BootPlan> {
  const jump = machines.find(({ name }) => name === 'jump');
  const isJump = machine === jump;
  const disk =
    options.disk !== undefined && !isJump ? await ensureDisk(paths.disks, machine.name, options.disk) : undefined;
  return {
    machine,
    image,
    folder: paths.machine(machine.name),
    seccomp: join(paths.folder, 'seccomp.json'),
    setup: setupScript(options, keys, isJump),
    ...(jump && !isJump && { firewall: jumpFirewall(options.port, jump.address) }),
    ...(disk && { disk: disk.numbers }),
  };
}
