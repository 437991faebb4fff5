import type { Registry } from '../../config/model/cluster.ts';
import { chain, empty, on, sequence } from '../../plan/fragment.ts';
import { makeRegistryCertificates } from '../../step/registry/certificates.ts';
import { registryData } from '../../step/registry/data.ts';
import { installRegistryProgram } from '../../step/registry/install.ts';
import { hasOwnLogin } from '../../step/registry/managed-registry.ts';
import { makeRegistryPassword } from '../../step/registry/password.ts';
import { serveRegistry, type LoginStart } from '../../step/registry/serve.ts';
import { verifyRegistry } from '../../step/registry/verify.ts';
import { clearStaging } from '../../step/transfer/staging.ts';
import { undo } from '../../step/undo/undo.ts';
import { registryHost } from '../host-groups.ts';
import { defineTask } from '../task.ts';

type DistributionRegistry = Extract<Registry, { readonly type: 'registry' }>;

/** The registry to install, and when one that had no login requires it. */
export interface InstallRegistryInput {
  readonly registry: DistributionRegistry;
  readonly login: LoginStart;
}

export const installRegistry = defineTask<InstallRegistryInput>({
  name: 'install-registry',
  title: 'Install the image registry',
  needs: { registryLogins: true },
  plan: ({ cluster, assets, hosts, local }, { registry, login }) =>
    sequence(
      on(local, makeRegistryCertificates(cluster, registry, assets.folder)),
      hasOwnLogin(registry) ? empty : on(local, makeRegistryPassword(assets.folder)),
      chain(registryHost(hosts), [
        installRegistryProgram(assets),
        registryData(registry.dataDir),
        serveRegistry(registry, assets, login),
        clearStaging,
      ]),
      on(local, verifyRegistry(registry, assets, login === 'now' ? 'rejected' : 'accepted')),
    ),
});

/** Runs after hosts got the password: a registry of an earlier version, which had no login, requires it from now on. */
export const requireRegistryLogin = defineTask<DistributionRegistry>({
  name: 'require-registry-login',
  title: 'Require the login to the image registry',
  needs: { registryLogins: true },
  plan: ({ assets, hosts, local }, registry) =>
    sequence(
      on(registryHost(hosts), serveRegistry(registry, assets, 'now')),
      on(local, verifyRegistry(registry, assets, 'rejected')),
    ),
});

/** Whether images are kept. */
export interface UninstallRegistryInput {
  readonly preserveData: boolean;
}

export const uninstallRegistry = defineTask<UninstallRegistryInput>({
  name: 'uninstall-registry',
  title: 'Uninstall the image registry',
  // On all hosts: an earlier cluster file may have assigned the registry to another one.
  plan: ({ hosts }, { preserveData }) =>
    chain(hosts.all, [
      undo('registry.serve', 'Stop the registry and remove its configuration'),
      ...(preserveData ? [] : [undo('registry.data', 'Remove the images of the registry')]),
      undo('registry.install', 'Remove the registry binary'),
    ]),
});
