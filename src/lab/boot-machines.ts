import { boot, prepareBoot, type BootPlan } from './boot.ts';
import { ensureDisk } from './disk.ts';
import type { Key } from './keys.ts';
import type { Machine } from './machine.ts';
import { findMachines } from './machines.ts';
import { containerOf } from './name.ts';
import { machineNames, type LabOptions } from './options.ts';
import { forEachParallel } from './parallel.ts';
import type { LabPaths } from './paths.ts';
import { podman } from './podman.ts';
import { jumpFirewall, setupScript } from './setup.ts';
import { addressOf } from './subnet.ts';
import type { Making } from './up.ts';
import { join } from 'node:path';

/** Boots the machines of a lab that do not run, and leaves the others alone. */
export async function bootMachines(
  making: Making,
  number: number,
  keys: readonly Key[],
  paths: LabPaths,
): Promise<readonly Machine[]> {
  const { options, report, signal, image } = making;
  const machines = machinesOf(options, number);
  const found = await findMachines(options.name);
  const task = `Starting ${machines.length} machines`;
  let done = 0;
  await forEachParallel(machines, 4, async (machine) => {
    signal?.throwIfAborted();
    const state = found.find((one) => one.name === machine.name)?.state;
    if (state !== 'running' && state !== 'paused') {
      const plan = await planBoot(making, machine, machines, keys, paths, image);
      await prepareBoot(plan);
      await (state === undefined ? boot(plan) : podman(['start', machine.container]));
    }
    report({ task, done: ++done, total: machines.length, detail: machine.name });
  });
  return machines;
}

function machinesOf(options: LabOptions, number: number): readonly Machine[] {
  return machineNames(options).map((name, place) =>
    Object.freeze({
      name,
      lab: options.name,
      container: containerOf(options.name, name),
      address: addressOf(number, place),
      port: name === 'jump' ? 22 : options.port,
    }),
  );
}

async function planBoot(
  { options }: Making,
  machine: Machine,
  machines: readonly Machine[],
  keys: readonly Key[],
  paths: LabPaths,
  image: string,
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
