import { readFileSync } from 'node:fs';
import type { RegistryCredentials } from '../../resource/oci/authenticate.ts';
import { Secret } from '../../common/secret.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { pushName } from '../../config/model/own-registry.ts';
import { certificatePath } from '../../pki/store.ts';
import { CA, registryCertificates } from '../../step/registry/certificates.ts';
import { passwordPath } from '../../step/registry/harbor/passwords.ts';
import { hasOwnLogin, isManaged, registryHost, usernameOf } from '../../step/registry/managed-registry.ts';
import { registryPasswordPath } from '../../step/registry/saved-password.ts';

/**
 * Adds access data for the registry that kubexm installs: its host address, whether or not its name resolves, its CA, and
 * the generated password. CA and password are read on use because the run itself may create them.
 */
export function withOwnRegistry(
  credentials: Readonly<Record<string, RegistryCredentials>>,
  cluster: Cluster,
  folder: string,
): Readonly<Record<string, RegistryCredentials>> {
  const { registry } = cluster;
  if (!isManaged(registry)) return credentials;
  const access = { ...credentials[registry.name], address: registryHost(cluster).login.address };
  const caPath = certificatePath(registryCertificates(folder), CA);
  const generated = (username: string, path: string) => withPassword({ ...access, username }, caPath, path);
  const login =
    registry.type === 'harbor'
      ? access.username === undefined && generated('admin', passwordPath(folder, 'admin'))
      : !hasOwnLogin(registry) && generated(usernameOf(registry), registryPasswordPath(folder));
  const own = withCa(access, caPath);
  return { ...credentials, [registry.name]: own, [pushName(registry)]: login || own };
}

const withCa = (access: RegistryCredentials, caPath: string): RegistryCredentials => ({
  ...access,
  get ca() {
    return read(caPath);
  },
});

const withPassword = (access: RegistryCredentials, caPath: string, path: string): RegistryCredentials => ({
  ...access,
  get ca() {
    return read(caPath);
  },
  get password() {
    const text = read(path);
    return text === undefined ? undefined : new Secret(text.trim());
  },
});

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
