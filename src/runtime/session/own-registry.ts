import { readFileSync } from 'node:fs';
import type { RegistryCredentials } from '../../resource/oci/authenticate.ts';
import { Secret } from '../../common/secret.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { certificatePath } from '../../pki/store.ts';
import { CA, registryCertificates } from '../../step/registry/certificates.ts';
import { passwordPath } from '../../step/registry/harbor/passwords.ts';
import { isManaged, registryHost } from '../../step/registry/managed-registry.ts';

/**
 * Adds access data for the registry that kubexm installs: its host address, whether or not its name resolves, and its CA.
 * The CA and the admin password are read on use because the run itself may create them.
 */
export function withOwnRegistry(
  credentials: Readonly<Record<string, RegistryCredentials>>,
  cluster: Cluster,
  folder: string,
): Readonly<Record<string, RegistryCredentials>> {
  const { registry } = cluster;
  if (!isManaged(registry)) return credentials;
  const { login } = registryHost(cluster);
  const access = { ...credentials[registry.name], address: login.address };
  const ca = () => read(certificatePath(registryCertificates(folder), CA));
  const own: RegistryCredentials =
    registry.type === 'harbor' && access.username === undefined
      ? {
          ...access,
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
          ...access,
          get ca() {
            return ca();
          },
        };
  return { ...credentials, [registry.name]: own };
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
