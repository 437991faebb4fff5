export const ROLES = ['etcd', 'master', 'worker', 'registry', 'loadbalancer'] as const;
export const ARCHES = ['amd64', 'arm64'] as const;

/** What a host does for the cluster. */
export type Role = (typeof ROLES)[number];

/** A processor family, named as Kubernetes names it. */
export type Arch = (typeof ARCHES)[number];
