import type { Cluster } from '../../config/model/cluster.ts';
import { apiPort } from '../../config/model/ports.ts';
import { bracketIPv6 } from '../../util/address.ts';

/** An API server behind a load balancer. */
export interface Backend {
  readonly name: string;
  /** host:port, an IPv6 address in brackets. */
  readonly address: string;
}

export const backendsOf = (cluster: Cluster): readonly Backend[] =>
  cluster.hosts
    .filter(({ roles }) => roles.includes('master'))
    .map(({ name, internalAddresses: [address] }) => ({
      name,
      address: `${bracketIPv6(address)}:${apiPort(cluster)}`,
    }));
