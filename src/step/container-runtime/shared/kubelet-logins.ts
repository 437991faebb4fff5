import { registryLoginsFile, type RegistryLogin } from '../../../template/registry-logins.ts';
import { file } from '../../common/file.ts';
import { ownedDirectory } from '../../common/owned-directory.ts';
import { loginsByHost } from './registry-access.ts';
import type { RuntimeSettings } from './settings.ts';
import type { GenericStep } from '../../contract/part.ts';

/** Registry credentials of the kubelet, for runtimes that store none; no file if there are none. */
export function kubeletLogins({ registries, credentials }: RuntimeSettings): readonly GenericStep[] {
  const logins = loginsByHost(registries, credentials);
  return Object.keys(logins).length === 0 ? [] : loginParts(logins);
}

const loginParts = (logins: Readonly<Record<string, RegistryLogin>>): readonly GenericStep[] => [
  ownedDirectory({ path: '/var/lib/kubelet', mode: 0o750 }),
  file({ path: '/var/lib/kubelet/config.json', content: registryLoginsFile(logins), mode: 0o600, secret: true }),
];
