import { tryOnMachine, type Machine } from '../machine/machine.ts';

type Kind = 'delay' | 'loss';

/** Makes the network of a machine bad with the kernel's own means; false where the kernel has none. */
export async function tryNetem(machine: Machine, kind: Kind, value: string): Promise<boolean> {
  const script = `${keepOther(kind)}tc qdisc replace dev eth0 root netem ${kind} ${value} $other\n`;
  return (await tryOnMachine(machine, ['sh', '-eu'], { stdin: script })).exit === 0;
}

/** A shell script that takes it away. */
export const clearNetem = (kind: Kind) =>
  `${keepOther(kind)}if tc qdisc show dev eth0 | grep -q 'netem.* ${kind} '; then
  if [ -n "$other" ]; then tc qdisc replace dev eth0 root netem $other; else tc qdisc del dev eth0 root; fi
fi
`;

/** A shell line that prints what the kernel was told: "delay 200ms". */
export const lookAtNetem = (kind: Kind) => `tc qdisc show dev eth0 | sed -n 's/.*netem.* \\(${kind} [^ ]*\\).*/\\1/p'`;

// A device has one netem for both: what is not meant has to be said again.
const keepOther = (kind: Kind) => `other=$(${lookAtNetem(kind === 'delay' ? 'loss' : 'delay')})\n`;
