import type { Registry } from './cluster.ts';

type InstalledRegistry = Extract<Registry, { readonly type: 'registry' | 'harbor' }>;

/** The port in the name of the registry, "dockerhub.kubexm.local:5000"; 443 by default. */
export const registryPort = ({ name }: Pick<InstalledRegistry, 'name'>): number => Number(name.split(':')[1] ?? 443);

/** The port that accepts pushes: its own one if images can be pulled without a login. */
export const pushPort = (registry: InstalledRegistry): number =>
  registryPort(registry) + (registry.type === 'registry' && registry.anonymousPull ? 1 : 0);

/** The host and port that images are pushed to. */
export const pushName = (registry: InstalledRegistry): string =>
  pushPort(registry) === registryPort(registry)
    ? registry.name
    : `${registry.name.split(':')[0]}:${pushPort(registry)}`;
