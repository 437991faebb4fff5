import type { Cluster, ClusterHost, Registry } from '../../config/model/cluster.ts';

/** A registry that we install. */
export type ManagedRegistry = Extract<Registry, { readonly type: 'registry' | 'harbor' }>;

/** A registry that has a name. */
export type NamedRegistry = Exclude<Registry, { readonly type: 'none' }>;

export const isManaged = (registry: Registry): registry is ManagedRegistry =>
  registry.type === 'registry' || registry.type === 'harbor';

/** The host that it runs on: the first one, because images are kept in one place. */
export function registryHost({ hosts, name }: Cluster): ClusterHost {
  const found = hosts.find(({ roles }) => roles.includes('registry'));
  if (!found) throw new TypeError(`${name} has no registry host`);
  return found;
}

/** "dockerhub.kubexm.local:5000" listens on 5000. */
export const portOf = ({ name }: ManagedRegistry): number => Number(name.split(':')[1] ?? 443);

/** Whether it is entered without TLS. */
export const usesPlainHttp = ({ name, auths }: ManagedRegistry): boolean => auths[name]?.plainHTTP ?? false;

/** Who may enter it; undefined when everybody may. */
export const usernameOf = ({ name, auths }: ManagedRegistry): string | undefined => auths[name]?.username;
