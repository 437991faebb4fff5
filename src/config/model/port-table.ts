/** A port or port range on a host. */
export interface OpenPort {
  readonly protocol: 'tcp' | 'udp';
  readonly port: number;
  /** Last port of a range. */
  readonly to?: number;
  /** The service that listens on the port. */
  readonly for: string;
  /** Whether only hosts in the cluster connect to the port. */
  readonly inCluster?: boolean;
}

/** `open`: other hosts connect to the port; `held`: a cluster component binds it; `both`: both of these. */
export interface TablePort extends OpenPort {
  readonly use: 'open' | 'held' | 'both';
}

export const tcp = (port: number, what: string): TablePort => ({ protocol: 'tcp', port, for: what, use: 'both' });
export const udp = (port: number, what: string): TablePort => ({ ...tcp(port, what), protocol: 'udp' });
export const open = (port: TablePort): TablePort => ({ ...port, use: 'open' });
export const inCluster = (port: TablePort): TablePort => ({ ...port, inCluster: true });
export const held = (port: TablePort): TablePort => ({ ...port, use: 'held' });
