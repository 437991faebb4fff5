import type { Host, Hosts, Role } from '../../common/host.ts';
import type { Cluster } from '../../config/model/cluster.ts';

/** The hosts of a cluster as plans and steps refer to them; the first master comes first among the masters. */
export function hostsOf({ hosts, firstMaster }: Cluster): Hosts {
  const all: readonly Host[] = hosts.map(({ name, roles, internalAddresses: [address] }) =>
    Object.freeze({ name, address, roles }),
  );
  const withRole = (role: Role) => all.filter(({ roles }) => roles.includes(role));
  const isFirst = ({ name }: Host) => name === firstMaster;
  const masters = withRole('master').toSorted((one, other) => Number(isFirst(other)) - Number(isFirst(one)));
  return Object.freeze({ all, withRole: (role) => (role === 'master' ? masters : withRole(role)) } satisfies Hosts);
}

/** Looks up a host that is known to exist. */
export function hostNamed({ all }: Hosts, name: string): Host {
  const host = all.find((each) => each.name === name);
  if (!host) throw new TypeError(`${name} is not a host of the cluster`);
  return host;
}
