import { readFile } from 'node:fs/promises';
import type { RegistryAccess } from '../../artifact/oci/registry.ts';
import type { Cluster, Registry } from '../../config/cluster.ts';
import { certificatePath } from '../../pki/store.ts';
import { madePassword } from './harbor/passwords.ts';
import { AUTHORITY, certificatesFolder } from './certificates.ts';
import { registryHost } from './own-registry.ts';

/** How registries are entered, and where the certificates of ours are. */
export interface Ways {
  readonly accesses: Readonly<Record<string, RegistryAccess>>;
  /** The folder of the cluster. */
  readonly folder: string;
}

/** A registry that has a name. */
export type NamedRegistry = Exclude<Registry, { readonly type: 'none' }>;

/** How this machine enters a registry. Ours is found at its host, whoever knows its name, and trusted by our authority. */
export async function accessTo(
  cluster: Cluster,
  registry: NamedRegistry,
  { accesses, folder }: Ways,
): Promise<RegistryAccess> {
  const told = accesses[registry.name] ?? {};
  if (registry.type === 'external') return told;
  const login = registry.type === 'harbor' && told.username === undefined ? await adminOf(folder) : {};
  // It may be made only in the course of the run.
  const ca = await readFile(certificatePath(certificatesFolder(folder), AUTHORITY), 'utf8').catch(() => undefined);
  return { ...told, ...login, address: registryHost(cluster).login.address, ...(ca !== undefined && { ca }) };
}

/** Harbor has an admin, whose password we made if nobody told one. */
async function adminOf(folder: string): Promise<RegistryAccess> {
  const password = await madePassword(folder, 'admin');
  return password ? { username: 'admin', password } : {};
}
