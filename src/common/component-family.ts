export const FAMILIES = ['kubernetes', 'etcd', 'runtime', 'network', 'load-balancer', 'registry', 'addons'] as const;

/** A group of components whose artifacts are downloaded together. */
export type Family = (typeof FAMILIES)[number];
