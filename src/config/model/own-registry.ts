import type { Registry } from './cluster.ts';

type InstalledRegistry = Extract<Registry, { readonly type: 'registry' | 'harbor' }>;

/** Returns the port in the registry name, such as "dockerhub.kubexm.local:5000"; 443 by default. */
export const registryPort = ({ name }: Pick<InstalledRegistry, 'name'>): number => Number(name.split(':')[1] ?? 443);

/** Returns the port for pushes. It differs from the registry port if images can be pulled without a login. */
export const pushPort = (registry: InstalledRegistry): number =>
  registryPort(registry) + (registry.type === 'registry' && registry.anonymousPull ? 1 : 0);

/** Returns the host and port for pushes. */
export const pushName = (registry: InstalledRegistry): string =>
  pushPort(registry) === registryPort(registry)
    ? registry.name
    : `${registry.name.split(':')[0]}:${pushPort(registry)}`;
