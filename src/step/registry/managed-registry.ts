import type { Cluster, ClusterHost, Registry } from '../../config/model/cluster.ts';

/** A registry that kubexm installs. */
export type ManagedRegistry = Extract<Registry, { readonly type: 'registry' | 'harbor' }>;

/** A configured registry, managed or external. */
export type NamedRegistry = Exclude<Registry, { readonly type: 'none' }>;

export const isManaged = (registry: Registry): registry is ManagedRegistry =>
  registry.type === 'registry' || registry.type === 'harbor';

/** The host of the registry: the first one with the role, because there is only one copy of the images. */
export function registryHost({ hosts, name }: Cluster): ClusterHost {
  const found = hosts.find(({ roles }) => roles.includes('registry'));
  if (!found) throw new TypeError(`${name} has no registry host`);
  return found;
}

export const usesPlainHttp = ({ name, auths }: ManagedRegistry): boolean => auths[name]?.plainHTTP ?? false;

/** Whether the cluster file sets the user of the registry. Otherwise a password is generated. */
export const hasOwnLogin = ({ name, auths }: ManagedRegistry): boolean => auths[name]?.username !== undefined;

/** The user that pushes images and, unless everyone may pull, that hosts pull with. */
export const usernameOf = ({ name, auths }: ManagedRegistry): string => auths[name]?.username ?? DEFAULT_USER;

/** Stored in the password file of the registry and in the configuration of hosts. */
const DEFAULT_USER = 'kubexm';
