import { fail } from '../common/errors/errors.ts';
import { activeFaults } from './fault/faults.ts';
import { at, items, parseJson, text } from './json.ts';
import { findLabs } from './labs.ts';
import { tryOnMachine } from './machine/machine.ts';
import { findMachines, type FoundMachine } from './machine/find-machines.ts';
import { checkLabName } from './names.ts';
import { podman } from './podman.ts';
import { findProgram, requireRoot } from './prerequisites.ts';

/** The status of one machine. */
export interface MachineStatus extends FoundMachine {
  /** Output of `systemctl is-system-running`; empty unless the machine is running. */
  readonly systemd: string;
  readonly memoryBytes: number;
  readonly faults: readonly string[];
}

/** The status of one lab. */
export interface LabStatus {
  readonly lab: string;
  readonly machines: readonly MachineStatus[];
}

/** Returns the status of one lab, or of all labs. */
export async function labStatus(name?: string): Promise<readonly LabStatus[]> {
  requireRoot();
  const labs = await findLabs();
  if (name !== undefined && !labs.includes(checkLabName(name))) {
    throw fail('LAB_NOT_FOUND', { name, labs: labs.join(', ') || 'none' });
  }
  const machines = (await findProgram('podman')) ? await findMachines(name) : [];
  const memory = await memoryOf(machines);
  const all = await Promise.all(machines.map((machine) => statusOf(machine, memory.get(machine.container) ?? 0)));
  return (name === undefined ? labs : [name]).map((lab) => ({
    lab,
    machines: all.filter((machine) => machine.lab === lab),
  }));
}

async function statusOf(machine: FoundMachine, memoryBytes: number): Promise<MachineStatus> {
  const systemd =
    machine.state === 'running' ? (await tryOnMachine(machine, ['systemctl', 'is-system-running'])).stdout.trim() : '';
  return { ...machine, systemd, memoryBytes, faults: await activeFaults(machine, machine.state) };
}

/** Memory usage of the running machines in bytes, by container name. */
async function memoryOf(machines: readonly FoundMachine[]): Promise<ReadonlyMap<string, number>> {
  const running = machines.filter(({ state }) => state === 'running').map(({ container }) => container);
  if (running.length === 0) return new Map();
  const stats = items(parseJson(await podman(['stats', '--no-stream', '--no-reset', '--format', 'json', ...running])));
  return new Map(
    stats.map((one) => [text(at(one, 'name')), bytesIn(text(at(one, 'mem_usage')).split(' / ')[0] ?? '')]),
  );
}

function bytesIn(size: string): number {
  const unit = { B: 1, kB: 1e3, MB: 1e6, GB: 1e9 }[size.replace(/[\d.]+/, '')] ?? 0;
  return Math.round(Number.parseFloat(size) * unit);
}
