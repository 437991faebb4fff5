import type { Registry } from '../../config/model/cluster.ts';
import { chain, on, sequence } from '../../plan/fragment.ts';
import { makeRegistryCertificates } from '../../step/registry/certificates.ts';
import { registryData } from '../../step/registry/data.ts';
import { installRegistryProgram } from '../../step/registry/install.ts';
import { serveRegistry } from '../../step/registry/serve.ts';
import { verifyRegistry } from '../../step/registry/verify.ts';
import { clearStaging } from '../../step/transfer/staging.ts';
import { undo } from '../../step/undo/undo.ts';
import { registryHost } from '../host-groups.ts';
import { defineTask } from '../task.ts';

export const installRegistry = defineTask<Extract<Registry, { readonly type: 'registry' }>>({
  name: 'install-registry',
  title: 'Install the image registry',
  needs: { registryLogins: true },
  plan: ({ cluster, assets, hosts, local }, registry) =>
    sequence(
      on(local, makeRegistryCertificates(cluster, registry, assets.folder)),
      chain(registryHost(hosts), [
        installRegistryProgram(assets),
        registryData(registry.dataDir),
        serveRegistry(registry, assets),
        clearStaging,
      ]),
      on(local, verifyRegistry(registry, assets)),
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
