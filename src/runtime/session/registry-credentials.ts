import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RegistryCredentials } from '../../resource/oci/authenticate.ts';
import type { Cluster } from '../../config/model/cluster.ts';
import { expandHome } from '../../common/home.ts';
import { resolveSecret } from './resolve-secret.ts';

/** Reads the passwords and certificates of all registries in the cluster file. */
export async function registryCredentials({
  registry,
}: Cluster): Promise<Readonly<Record<string, RegistryCredentials>>> {
  const all = Object.entries(registry.auths).map(async ([host, login]) => {
    const { username, password, plainHTTP, skipTLSVerify, certsPath } = login;
    const [secret, ca, cert, key] = await Promise.all([
      password && resolveSecret(password, `registry.auths.${host}.password`),
      readPem(certsPath, 'ca.crt'),
      readPem(certsPath, 'client.cert'),
      readPem(certsPath, 'client.key'),
    ]);
    const read: RegistryCredentials = {
      plainHTTP,
      skipTLSVerify,
      ...(username !== undefined && { username }),
      ...(secret && { password: secret }),
      ...(ca !== undefined && { ca }),
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
    };
    return [host, read] as const;
  });
  const credentials = Object.fromEntries(await Promise.all(all));
  if (registry.type !== 'harbor' || registry.adminPassword === undefined) return credentials;
  const password = await resolveSecret(registry.adminPassword, 'registry.harbor.adminPassword');
  return { ...credentials, [registry.name]: { ...credentials[registry.name], username: 'admin', password } };
}

/** Files that are missing in the folder are not used. */
const readPem = (folder: string | undefined, name: string) =>
  folder === undefined ? undefined : readFile(join(expandHome(folder), name), 'utf8').catch(() => undefined);
