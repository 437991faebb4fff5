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

/** The port in the name of the registry, "dockerhub.kubexm.local:5000"; 443 by default. */
export const portOf = ({ name }: ManagedRegistry): number => Number(name.split(':')[1] ?? 443);

export const usesPlainHttp = ({ name, auths }: ManagedRegistry): boolean => auths[name]?.plainHTTP ?? false;

/** The user of the registry; undefined for anonymous access. */
export const usernameOf = ({ name, auths }: ManagedRegistry): string | undefined => auths[name]?.username;
