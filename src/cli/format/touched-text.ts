import type { Host } from '../../common/host.ts';

/** The number of hosts that a run changes, and the number of hosts in the cluster. */
export interface TouchedHosts {
  readonly touched: readonly Host[];
  /** The names of the hosts that are added or removed. */
  readonly changed: ReadonlySet<string>;
  /** Either "new" or "removed". */
  readonly as: string;
  readonly total: number;
}

/** Formats the hosts that a run changes, such as "1 new + 3 masters, of 1,000". */
export function touchedText({ touched, changed, as, total }: TouchedHosts): string {
  const others = touched.filter(({ name }) => !changed.has(name));
  const count = touched.length - others.length;
  const kinds = KINDS.map(({ noun, is }) => ({
    noun,
    count: others.filter((host) => KINDS.find((kind) => kind.is(host))?.is === is).length,
  }));
  const parts = [
    ...(count > 0 ? [`${number(count)} ${as}`] : []),
    ...kinds
      .filter((kind) => kind.count > 0)
      .map((kind) => `${number(kind.count)} ${kind.noun}${kind.count === 1 ? '' : 's'}`),
  ];
  return `${parts.join(' + ') || 'none'}, of ${number(total)}`;
}

/** Formats a number with thousands separators, such as "1,000". */
export const number = (value: number): string => value.toLocaleString('en');

/** A host with several roles counts as the first of these. */
const KINDS: readonly { readonly noun: string; readonly is: (host: Host) => boolean }[] = [
  { noun: 'master', is: ({ roles }) => roles.includes('master') },
  { noun: 'etcd host', is: ({ roles }) => roles.includes('etcd') },
  { noun: 'load balancer', is: ({ roles }) => roles.includes('loadbalancer') },
  { noun: 'worker', is: ({ roles }) => roles.includes('worker') },
  { noun: 'other host', is: () => true },
];
