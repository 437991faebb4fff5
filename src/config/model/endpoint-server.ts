import type { Cluster } from './cluster.ts';

/** Where the API of the cluster is found by all, "https://lb.kubexm.local:6443". */
export const endpointServer = ({ endpoint: { domain, port } }: Pick<Cluster, 'endpoint'>): string =>
  `https://${domain}:${port}`;
