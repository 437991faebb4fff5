import type { Registry } from '../../config/model/cluster.ts';
import { chain, on, sequence } from '../../plan/fragment.ts';
import { makeRegistryCertificates } from '../../step/registry/certificates.ts';
import { configureHarbor } from '../../step/registry/harbor/config.ts';
import {
  harborData,
  installCompose,
  installHarborFiles,
  requireDocker,
  runHarbor,
} from '../../step/registry/harbor/install.ts';
import { verifyRegistry } from '../../step/registry/verify.ts';
import { clearStaging } from '../../step/transfer/staging.ts';
import { undo } from '../../step/undo/undo.ts';
import { registryHost } from '../host-groups.ts';
import { defineTask } from '../task.ts';
import type { UninstallRegistryInput } from './distribution.ts';

export const installHarbor = defineTask<Extract<Registry, { readonly type: 'harbor' }>>({
  name: 'install-harbor',
  title: 'Install Harbor',
  needs: { registryLogins: true },
  plan: ({ cluster, assets, hosts, local }, registry) =>
    sequence(
      on(local, makeRegistryCertificates(cluster, registry, assets.folder)),
      on(local, configureHarbor(registry, assets)),
      chain(registryHost(hosts), [
        requireDocker,
        installCompose(assets),
        installHarborFiles(assets),
        harborData(registry.dataDir),
        runHarbor(registry.trivy, assets),
        clearStaging,
      ]),
      on(local, verifyRegistry(registry, assets)),
    ),
});

export const uninstallHarbor = defineTask<UninstallRegistryInput>({
  name: 'uninstall-harbor',
  title: 'Uninstall Harbor',
  // On all hosts: an earlier cluster file may have assigned Harbor to another one.
  plan: ({ hosts }, { preserveData }) =>
    chain(hosts.all, [
      undo('harbor.run', 'Stop Harbor'),
      ...(preserveData ? [] : [undo('harbor.data', 'Remove the images of Harbor')]),
      undo('harbor.install', 'Remove the Harbor installer'),
      undo('docker-compose.install', 'Remove Docker Compose'),
    ]),
});
