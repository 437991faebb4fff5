/** A port or a range of ports on a host. */
export interface OpenPort {
  readonly protocol: 'tcp' | 'udp';
  readonly port: number;
  /** Last port of a range. */
  readonly to?: number;
  /** The service that listens on it. */
  readonly for: string;
  /** Only hosts of the cluster connect to it. */
  readonly inCluster?: boolean;
}

/** `open`: other hosts connect to it; `held`: a cluster component binds it. */
export interface TablePort extends OpenPort {
  readonly use: 'open' | 'held' | 'both';
}

export const tcp = (port: number, what: string): TablePort => ({ protocol: 'tcp', port, for: what, use: 'both' });
export const udp = (port: number, what: string): TablePort => ({ ...tcp(port, what), protocol: 'udp' });
export const open = (port: TablePort): TablePort => ({ ...port, use: 'open' });
export const inCluster = (port: TablePort): TablePort => ({ ...port, inCluster: true });
export const held = (port: TablePort): TablePort => ({ ...port, use: 'held' });
