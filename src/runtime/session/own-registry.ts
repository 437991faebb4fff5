import { readFileSync } from 'node:fs';
import type { RegistryAccess } from '../../resource/oci/registry.ts';
import { Secret } from '../../common/secret.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { certificatePath } from '../../pki/store.ts';
import { AUTHORITY, certificatesFolder } from '../../step/registry/certificates.ts';
import { passwordPath } from '../../step/registry/harbor/passwords.ts';
import { isOwn, registryHost } from '../../step/registry/own-registry.ts';

/**
 * How registries are entered, ours too: it is found at its host, whoever knows its name, and trusted by our authority.
 * What may be made only in the course of the run is read when it is asked for.
 */
export function withOwnRegistry(
  accesses: Readonly<Record<string, RegistryAccess>>,
  cluster: Cluster,
  folder: string,
): Readonly<Record<string, RegistryAccess>> {
  const { registry } = cluster;
  if (!isOwn(registry)) return accesses;
  const { login } = registryHost(cluster);
  const told = { ...accesses[registry.name], address: login.address };
  const ca = () => read(certificatePath(certificatesFolder(folder), AUTHORITY));
  const own: RegistryAccess =
    registry.type === 'harbor' && told.username === undefined
      ? {
          ...told,
          username: 'admin',
          get ca() {
            return ca();
          },
          get password() {
            const text = read(passwordPath(folder, 'admin'));
            return text === undefined ? undefined : new Secret(text.trim());
          },
        }
      : {
          ...told,
          get ca() {
            return ca();
          },
        };
  return { ...accesses, [registry.name]: own };
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
