import type { ClusterHost } from '../../../config/model/cluster.ts';

/** A connection that must be possible between two hosts. */
export interface Connection {
  readonly from: ClusterHost;
  readonly to: ClusterHost;
  readonly protocol: 'tcp' | 'udp';
  readonly port: number;
  /** The component that will listen there. */
  readonly purpose: string;
}

/** The result of trying a connection. */
export interface Attempt extends Connection {
  readonly outcome: 'reached' | 'timed-out' | 'failed' | 'another-host';
  /** The response, or the reason of the failure. */
  readonly detail: string;
}
