export const ROLES = ['etcd', 'master', 'worker', 'registry', 'loadbalancer'] as const;
export const ARCHES = ['amd64', 'arm64'] as const;

/** What a host does for the cluster. */
export type Role = (typeof ROLES)[number];

/** A processor family, named as Kubernetes names it. */
export type Arch = (typeof ARCHES)[number];

/** A machine as a plan names it. Plain data: connections live elsewhere. */
export interface Host {
  readonly name: string;
  readonly address: string;
  readonly roles: readonly Role[];
}

/** Whether a host becomes a node of Kubernetes. */
export const isNode = ({ roles }: Pick<Host, 'roles'>): boolean => roles.includes('master') || roles.includes('worker');

/** The machine kubexm itself runs on. It is never a member of the cluster. */
export const LOCAL: Host = Object.freeze({ name: 'local', address: '127.0.0.1', roles: [] });

/** Every host of a cluster, in the order of the file. */
export interface Hosts {
  readonly all: readonly Host[];
  withRole(role: Role): readonly Host[];
}
