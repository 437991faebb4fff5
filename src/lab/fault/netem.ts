import { tryOnMachine, type Machine } from '../machine.ts';

/** Makes the network of a machine bad with the kernel's own means; false where the kernel has none. */
export async function tryNetem(machine: Machine, how: readonly string[]): Promise<boolean> {
  const { exit } = await tryOnMachine(machine, ['tc', 'qdisc', 'replace', 'dev', 'eth0', 'root', 'netem', ...how]);
  return exit === 0;
}

/** A shell script that takes it away. */
export const clearNetem = (kind: 'delay' | 'loss') =>
  `! tc qdisc show dev eth0 | grep -q 'netem.* ${kind} ' || tc qdisc del dev eth0 root
`;

/** A shell line that prints what the kernel was told: "delay 200ms". */
export const lookAtNetem = (kind: 'delay' | 'loss') =>
  `tc qdisc show dev eth0 | sed -n 's/.*netem.* \\(${kind} [^ ]*\\).*/\\1/p'`;
