import { tryOnMachine, type Machine } from '../machine/machine.ts';

type Kind = 'delay' | 'loss';

/** Configures netem on a machine; returns false if the kernel does not support it. */
export async function tryNetem(machine: Machine, kind: Kind, value: string): Promise<boolean> {
  const script = `${keepOther(kind)}tc qdisc replace dev eth0 root netem ${kind} ${value} $other\n`;
  return (await tryOnMachine(machine, ['sh', '-eu'], { stdin: script })).exit === 0;
}

/** A shell script that removes this netem setting. */
export const clearNetem = (kind: Kind) =>
  `${keepOther(kind)}if tc qdisc show dev eth0 | grep -q 'netem.* ${kind} '; then
  if [ -n "$other" ]; then tc qdisc replace dev eth0 root netem $other; else tc qdisc del dev eth0 root; fi
fi
`;

/** A shell command that prints the netem setting: "delay 200ms". */
export const probeNetem = (kind: Kind) => `tc qdisc show dev eth0 | sed -n 's/.*netem.* \\(${kind} [^ ]*\\).*/\\1/p'`;

// One netem qdisc holds both settings, so replacing it must repeat the other one.
const keepOther = (kind: Kind) => `other=$(${probeNetem(kind === 'delay' ? 'loss' : 'delay')})\n`;
