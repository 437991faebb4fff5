import type { Cluster } from '../../config/model/cluster.ts';
import { apiPort } from '../../config/model/ports.ts';
import { bracketed } from '../../util/bracketed.ts';

/** An API server that a load balancer hands connections to. */
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
      address: `${bracketed(address)}:${apiPort(cluster)}`,
    }));
