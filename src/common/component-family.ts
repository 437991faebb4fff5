export const FAMILIES = ['kubernetes', 'etcd', 'runtime', 'network', 'load-balancer', 'registry', 'addons'] as const;

/** Components that are installed together, and so are fetched together. */
export type Family = (typeof FAMILIES)[number];
