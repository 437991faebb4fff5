import type { faults as labFaultKinds } from '../../lab/fault/faults.ts';
import type { Machine } from '../../lab/machine/machine.ts';
import { defineCommand, type Command, type OptionSpec } from '../command.ts';
import { dryRun, printDryRun } from '../options/dry-run.ts';
import { labName, machineNames } from '../options/lab.ts';

/** The `lab fault` commands, one for each kind of fault. */
export const labFaults: readonly Command[] = [
  fault('cut', 'Drop all packets to and from a machine, or only SSH packets or packets of one peer', {
    options: {
      what: { type: 'choice', choices: ['all', 'ssh'], default: 'all', summary: 'packets to drop' },
      peer: { type: 'text', value: 'MACHINE', summary: 'drop only packets to and from MACHINE' },
    },
    example: { command: 'node2 --peer node3', does: 'Cut only the connection between node2 and node3' },
    async apply({ faults, machine, values, find }) {
      const peer = typeof values['peer'] === 'string' ? { peer: (await find(values['peer'])).address } : {};
      await faults.cut.apply(machine, { what: values['what'] === 'ssh' ? 'ssh' : 'all', ...peer });
    },
  }),
  fault('reset', 'Reset all open SSH connections; new connections are accepted', {
    apply: ({ faults, machine }) => faults.reset.apply(machine),
  }),
  fault('delay', 'Delay the packets of a machine (only SSH if the kernel has no netem)', {
    options: {
      ms: { type: 'number', value: 'MS', default: 200, min: 1, max: 60_000, summary: 'delay in milliseconds' },
    },
    example: { command: 'node2 --ms 500', does: 'Delay by half a second' },
    apply: ({ faults, machine, values }) => faults.delay.apply(machine, { milliseconds: Number(values['ms']) }),
  }),
  fault('loss', 'Drop a percentage of the packets of a machine', {
    options: {
      percent: {
        type: 'number',
        value: 'NUMBER',
        default: 20,
        min: 1,
        max: 100,
        summary: 'percentage of packets to drop',
      },
    },
    example: { command: 'node2 --percent 40', does: 'Drop 40% of the packets' },
    apply: ({ faults, machine, values }) => faults.loss.apply(machine, { percent: Number(values['percent']) }),
  }),
  fault('pause', 'Freeze a machine: connections stay open but nothing responds', {
    apply: ({ faults, machine }) => faults.pause.apply(machine),
  }),
  fault('kill', 'Power off a machine; clearing the fault boots it again', {
    apply: ({ faults, machine }) => faults.kill.apply(machine),
  }),
  fault('reboot', 'Reboot a machine', {
    options: { hard: { type: 'flag', summary: 'power-cycle instead of a clean shutdown' } },
    apply: ({ faults, machine, values }) => faults.reboot.apply(machine, { hard: values['hard'] === true }),
  }),
  fault('full-disk', 'Fill the disk that contains a directory on a machine', {
    options: {
      directory: { type: 'text', value: 'TARGET', default: '/var/tmp', summary: 'directory on the disk to fill' },
    },
    example: { command: 'node2 --directory /var/lib/etcd', does: 'Fill the etcd disk' },
    apply: ({ faults, machine, values }) => faults.fullDisk.apply(machine, { directory: String(values['directory']) }),
  }),
  fault('slow-disk', 'Limit the number of disk writes per second on a machine', {
    options: {
      writes: { type: 'number', value: 'NUMBER', default: 20, min: 1, max: 10_000, summary: 'writes per second' },
    },
    example: { command: 'node2 --writes 5', does: 'Limit writes to a rate at which etcd loses its leader' },
    apply: ({ faults, machine, values }) => faults.slowDisk.apply(machine, { writes: Number(values['writes']) }),
  }),
  fault('dpkg-lock', 'Hold the dpkg locks on a machine, like unattended-upgrades', {
    apply: ({ faults, machine }) => faults.dpkgLock.apply(machine),
  }),
  fault('clock', 'Shift the clock for programs started over SSH', {
    options: { offset: { type: 'text', value: 'OFFSET', default: '+1h', summary: 'offset, such as +1h, -5m or +30s' } },
    example: { command: 'node2 --offset=-5m', does: 'Set the clock back by five minutes' },
    apply: ({ faults, machine, values }) => faults.clock.apply(machine, { offset: String(values['offset']) }),
  }),
];

interface FaultCall {
  readonly faults: typeof labFaultKinds;
  readonly machine: Machine;
  readonly values: Readonly<Record<string, unknown>>;
  readonly find: (machine: string) => Promise<Machine>;
}

interface FaultSpec {
  readonly options?: Readonly<Record<string, OptionSpec>>;
  readonly example?: { readonly command: string; readonly does: string };
  readonly apply: (call: FaultCall) => Promise<void>;
}

function fault(name: string, summary: string, { options = {}, example, apply }: FaultSpec): Command {
  const examples = [{ command: 'node2', does: summary }, ...(example ? [example] : [])];
  return defineCommand({
    path: `lab fault ${name}`,
    summary,
    args: [{ name: 'MACHINE', complete: machineNames, summary: 'machine name, such as node1' }],
    options: { name: labName, dryRun, ...options },
    examples: examples.map(({ command, does }) => ({ command: `kubexm lab fault ${name} ${command}`, does })),
    async run({ args, options: values, console }) {
      const [{ faults, activeFaults }, { findMachine }] = await Promise.all([
        import('../../lab/fault/faults.ts'),
        import('../../lab/machine/find-machines.ts'),
      ]);
      const lab = values['name'];
      const find = (machine: string) => findMachine(lab, machine);
      const machine = await find(args[0] ?? '');
      if (values['dryRun']) return printDryRun(console, [`apply ${name} to ${machine.name}`]);
      await apply({ faults, machine, values, find });
      const active = await activeFaults(machine);
      console.note(`Applied ${name} to ${machine.name}. Active faults: ${active.join(', ') || 'none'}`);
    },
  });
}
