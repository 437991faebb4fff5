export const ROLES = ['etcd', 'master', 'worker', 'registry', 'loadbalancer'] as const;
export const ARCHES = ['amd64', 'arm64'] as const;

/** A role of a host in the cluster. */
export type Role = (typeof ROLES)[number];

/** A CPU architecture, by its Kubernetes name. */
export type Arch = (typeof ARCHES)[number];

/** A machine in a plan. Contains only plain data, no connection. */
export interface Host {
  readonly name: string;
  readonly address: string;
  readonly roles: readonly Role[];
}

/** Returns whether a host is a Kubernetes node. */
export const isNode = ({ roles }: Pick<Host, 'roles'>): boolean => roles.includes('master') || roles.includes('worker');

/** The machine where kubexm runs. It is never part of the cluster. */
export const LOCAL: Host = Object.freeze({ name: 'local', address: '127.0.0.1', roles: [] });

/** All hosts of a cluster, in the order of the cluster file. */
export interface Hosts {
  readonly all: readonly Host[];
  withRole(role: Role): readonly Host[];
}
