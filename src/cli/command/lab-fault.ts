import type { faults as labFaultKinds } from '../../lab/fault/faults.ts';
import type { Machine } from '../../lab/machine/machine.ts';
import { defineCommand, type Command, type OptionSpec } from '../command.ts';
import { dryRun, printDryRun } from '../options/dry-run.ts';
import { labName, machineNames } from '../options/lab.ts';

/** `lab fault …`: one command for each thing that can go wrong. */
export const labFaults: readonly Command[] = [
  fault('cut', 'Drop all packets of a machine, or only those of SSH or of one peer', {
    options: {
      what: { type: 'choice', choices: ['all', 'ssh'], default: 'all', summary: 'which packets' },
      peer: { type: 'text', value: 'machine', summary: 'only packets to and from this machine' },
    },
    example: { command: 'node2 --peer node3', does: 'Part node2 from node3, and from nobody else' },
    async apply({ faults, machine, values, find }) {
      const peer = typeof values['peer'] === 'string' ? { peer: (await find(values['peer'])).address } : {};
      await faults.cut.apply(machine, { what: values['what'] === 'ssh' ? 'ssh' : 'all', ...peer });
    },
  }),
  fault('reset', 'End the SSH sessions that run now; new ones are let in', {
    apply: ({ faults, machine }) => faults.reset.apply(machine),
  }),
  fault('delay', 'Make the packets of a machine late (only those of SSH where the kernel has no netem)', {
    options: {
      ms: { type: 'number', value: 'ms', default: 200, min: 1, max: 60_000, summary: 'how late, in milliseconds' },
    },
    example: { command: 'node2 --ms 500', does: 'Half a second late' },
    apply: ({ faults, machine, values }) => faults.delay.apply(machine, { milliseconds: Number(values['ms']) }),
  }),
  fault('loss', 'Lose some of the packets of a machine', {
    options: {
      percent: { type: 'number', value: 'number', default: 20, min: 1, max: 100, summary: 'how many of a hundred' },
    },
    example: { command: 'node2 --percent 40', does: 'Lose two packets of five' },
    apply: ({ faults, machine, values }) => faults.loss.apply(machine, { percent: Number(values['percent']) }),
  }),
  fault('pause', 'Freeze a machine: connections stay open and nobody answers', {
    apply: ({ faults, machine }) => faults.pause.apply(machine),
  }),
  fault('kill', 'Switch a machine off without a warning; clearing boots it again', {
    apply: ({ faults, machine }) => faults.kill.apply(machine),
  }),
  fault('reboot', 'Reboot a machine', {
    options: { hard: { type: 'flag', summary: 'without letting its programs end' } },
    apply: ({ faults, machine, values }) => faults.reboot.apply(machine, { hard: values['hard'] === true }),
  }),
  fault('full-disk', 'Let a folder of a machine be full, to its last byte', {
    options: { directory: { type: 'text', value: 'path', default: '/var/tmp', summary: 'which folder' } },
    example: { command: 'node2 --directory /var/lib/etcd', does: 'No room for etcd' },
    apply: ({ faults, machine, values }) => faults.fullDisk.apply(machine, { directory: String(values['directory']) }),
  }),
  fault('slow-disk', 'Let the disk of a machine do few writes a second', {
    options: {
      writes: { type: 'number', value: 'number', default: 20, min: 1, max: 10_000, summary: 'how many a second' },
    },
    example: { command: 'node2 --writes 5', does: 'So slow that etcd loses its leader' },
    apply: ({ faults, machine, values }) => faults.slowDisk.apply(machine, { writes: Number(values['writes']) }),
  }),
  fault('dpkg-lock', 'Hold the locks of dpkg on a machine, as an automatic update does', {
    apply: ({ faults, machine }) => faults.dpkgLock.apply(machine),
  }),
  fault('clock', 'Let programs that are run over SSH see another time', {
    options: { offset: { type: 'text', value: 'offset', default: '+1h', summary: 'how wrong: +1h, -5m, +30s' } },
    example: { command: 'node2 --offset=-5m', does: 'Five minutes slow' },
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
    args: [{ name: 'machine', complete: machineNames, summary: 'node1, node2 …' }],
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
      if (values['dryRun']) return printDryRun(console, [`make ${name} happen to ${machine.name}`]);
      await apply({ faults, machine, values, find });
      const active = await activeFaults(machine);
      console.note(`Done: ${name} on ${machine.name}. Faults it has now: ${active.join(', ') || 'none'}`);
    },
  });
}
